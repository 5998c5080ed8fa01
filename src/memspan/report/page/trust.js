// Doubtful claims: search, sort, open what speaks about one. Without this script: folds that open by themselves.

const HEADS = ["outcome", "question", "settled", "moves by", "settler", "time", "together with"];

function fold(row) {
  const shown = HEADS.map((_, i) => i).filter((i) => row.spoken.some((cells) => cells[i]));
  const line = (cells, tag) => make("tr", {}, ...shown.map((i) => make(tag, { dir: "auto", textContent: cells[i], "data-label": HEADS[i] })));
  const table = make("table", {}, make("thead", {}, line(HEADS, "th")), make("tbody", {}, ...row.spoken.map((cells) => line(cells, "td"))));
  return make("div", { className: "fold" },
    ...row.sentences.map((one) => make("p", { dir: "auto", textContent: one })),
    ...(row.spoken.length ? [make("div", { className: "scroll" }, table)] : []),
    ...(row.unlisted ? [make("p", { textContent: `and ${number(row.unlisted)} outcomes that move it less` })] : []),
    ...row.linked.map((one) => make("p", { dir: "auto", textContent: one })));
}

function opening(row) {
  const summary = make("summary", {}, make("span", { dir: "auto", textContent: row.text || row.id }),
    make("span", { className: "soft", textContent: row.text ? ` ${row.id}` : "" }),
    make("br"), make("span", { className: "soft why", textContent: row.why }));
  const made = make("details", {}, summary);
  made.addEventListener("toggle", () => { if (made.open && !made.querySelector(".fold")) made.append(fold(row)); });
  return made;
}

document.addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector(".doubts");
  if (!place) return;
  const rows = JSON.parse(document.querySelector(".data").textContent);
  const table = new Table([
    { title: "trust", kind: "n", value: (row) => row.tau, format: (row) => row.trust },
    { title: "claim", kind: "prose", value: (row) => `${row.text} ${row.id}: ${row.why}`, draw: opening },
    { title: "by source", kind: "n", value: (row) => row.prior },
    { title: "against", kind: "n", value: (row) => row.against },
    { title: "for", kind: "n", value: (row) => row.for },
    ...(rows.some((row) => row.mass) ? [{ title: "questions", kind: "n", value: (row) => row.mass, format: (row) => row.share }] : []),
  ], { empty: "Nothing is doubtful." });
  place.append(table.element);
  table.show(rows);
});
