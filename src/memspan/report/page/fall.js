// The waterfall: the bars stand in the page already, here they move.

// A number of the page is itself, or [estimate, lower, upper].
const middle = (value) => (Array.isArray(value) ? value[0] : value);

function ranged(value, write = percent) {
  if (!Array.isArray(value)) return write(value);
  return `${write(value[0])} (${write(value[1]).replace(/\u00a0%$/, "")} to ${write(value[2])})`;
}

const turned = (value, turn) => (Array.isArray(value) ? [turn(value[0]), ...[turn(value[1]), turn(value[2])].sort((a, b) => a - b)] : turn(value));

class Fall {
  constructor(list, names, onPart) {
    this.names = names;
    this.items = Object.fromEntries([...list.children].map((item) => [item.dataset.part, item]));
    for (const [name, item] of Object.entries(this.items)) {
      const button = item.querySelector("button");
      button.addEventListener("click", () => onPart(name));
      if (name !== "all") button.setAttribute("aria-expanded", "false");
    }
  }

  show(row, part, end) {
    const lost = row[this.names.length];
    let level = 1;
    this.names.forEach((name, i) => {
      const below = level - middle(row[i]);
      const edges = Array.isArray(row[i]) ? [level - row[i][2], level - row[i][1]] : null;
      this.bar(name, turned(row[i], Math.abs), Math.min(level, below), Math.max(level, below), edges);
      this.items[name].classList.toggle("none", !middle(row[i]));
      level = below;
    });
    const left = turned(lost, (value) => 1 - value);
    this.bar("left", left, 0, middle(left), Array.isArray(left) ? left.slice(1) : null);
    this.items.left.querySelector(".what").textContent = end;
    for (const [name, item] of Object.entries(this.items)) {
      item.classList.toggle("open", name === part);
      if (name !== "all") item.querySelector("button").setAttribute("aria-expanded", String(name === part));
    }
  }

  bar(name, share, start, stop, edges) {
    const item = this.items[name];
    const within = (value) => 100 * Math.min(Math.max(value, 0), 1);
    const block = item.querySelector(".block");
    block.style.left = `${within(start)}%`;
    block.style.width = `${within(stop) - within(start)}%`;
    const reach = item.querySelector(".reach");
    reach.hidden = !edges;
    if (edges) {
      reach.style.left = `${within(edges[0])}%`;
      reach.style.width = `${within(edges[1]) - within(edges[0])}%`;
    }
    item.querySelector(".much").textContent = ranged(share);
  }
}
