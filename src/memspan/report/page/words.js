"use strict";
// Numbers in words, as the text of the page writes them. This file comes first.

document.documentElement.classList.add("js");

function number(value) {
  return value.toLocaleString("en-US");
}

// As in the words of the page: only 0 and 1 themselves are shown as such.
function percent(share) {
  if (share >= 0.9995 && share < 1) return "> 99.9\u00a0%";
  if (share > 0 && share < 0.0005) return "< 0.1\u00a0%";
  return `${(100 * share).toFixed(1).replace(/\.0$/, "")}\u00a0%`;
}

// A difference of two masses, in percentage points.
function points(share) {
  const rounded = (100 * share).toFixed(1).replace(/\.0$/, "");
  return `${rounded} point${rounded === "1" ? "" : "s"}`;
}

// A count with its noun, which is given in the plural.
function counted(count, noun) {
  return `${number(count)} ${count === 1 && noun.endsWith("s") ? noun.slice(0, -1) : noun}`;
}
