// Questions one by one: where each system lost them, and what they need.

const STAGES = ["unanswerable", "generation", "compression", "write", "false", "read", "reasoner", "reached"];
const LETTERS = ["n", "s", "c", "k", "f", "r", "w", "✓"];
const UNASKED = "-";

class Drill {
  // `page` answers: data, ground(m), held(m, s, place), stage(m, s, place, query), nameOf(stage).
  constructor(page) {
    this.page = page;
    this.dialog = document.querySelector("dialog.question");
    this.inside = this.dialog.querySelector(".inside");
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
  }

  text(row) {
    const { queries } = this.page.data.materials[row.material];
    return queries.text[row.query] || queries.id[row.query];
  }

  weight(row) {
    const ground = this.page.ground(row.material);
    return ground.weights[row.query] / ground.whole;
  }

  question(row) {
    const button = make("button", { type: "button", className: "ask", textContent: this.text(row), dir: "auto" });
    button.addEventListener("click", () => this.open(row));
    return button;
  }

  columns(several) {
    const { materials } = this.page.data;
    return [
      { title: "question", kind: "prose", value: (row) => this.text(row), draw: (row) => this.question(row) },
      { title: "answer", kind: "src", value: (row) => materials[row.material].queries.answer[row.query] },
      { title: "weight", kind: "n", value: (row) => this.weight(row), format: (row) => percent(this.weight(row)) },
      ...(several ? [{ title: "material", kind: "src", value: (row) => materials[row.material].id }] : []),
    ];
  }

  // --- the list behind a bar ------------------------------------------------------------------------

  lostTable(several) {
    const needs = { title: "needs", kind: "prose", value: (row) => this.needText(row), draw: (row) => this.drawNeed(row) };
    return new Table([...this.columns(several), needs], { empty: "No question.", page: 10 });
  }

  need(row) {
    const { system, place } = this.page.state;
    const held = this.page.held(row.material, system, place);
    const way = this.page.ground(row.material).nearest(row.query, held);
    return way ? way.claims.map((claim) => ({ material: row.material, claim, held: held.has(claim) })) : [];
  }

  needText(row) {
    const { id } = this.page.data.materials[row.material].claims;
    return this.need(row).map((each) => `${each.held ? "" : "lacks "}${id[each.claim]}`).join(" + ");
  }

  drawNeed(row) {
    return this.need(row).map((each) => this.chip(each));
  }

  chip({ material, claim, held }) {
    const { claims } = this.page.data.materials[material];
    const wrong = this.page.ground(material).false.has(claim) ? [make("span", { className: "false", textContent: "false " })] : [];
    return make("span", { className: "need short", dir: "auto" },
      make("span", { className: held ? "have" : "lack", textContent: held ? "held" : "not held" }), " ",
      make("span", { className: "id", textContent: claims.id[claim] }), " ", ...wrong, claims.text[claim]);
  }

  // --- all questions by all systems -----------------------------------------------------------------

  matrix(several) {
    const { data } = this.page;
    const systems = data.systems.map((_, i) => i);
    const column = (system) => ({ title: data.systems[system].label, kind: "st", value: (row) => this.told(row, system),
      draw: (row) => this.mark(row, system) });
    const table = new Table([...this.columns(several), ...systems.map(column)], { empty: "No question.", page: 20 });
    const first = table.columns.length - systems.length;
    systems.forEach((system) => {
      const button = table.head.children[first + system].firstChild;
      button.replaceChildren(this.page.swatch(system), make("span", { className: "upright", textContent: data.systems[system].label }));
      button.setAttribute("aria-label", data.systems[system].label);
    });
    return table;
  }

  told(row, system) {
    const stage = this.page.stage(row.material, system, this.page.state.place, row.query);
    return stage === UNASKED ? "" : this.page.nameOf(STAGES[stage]);
  }

  mark(row, system) {
    const stage = this.page.stage(row.material, system, this.page.state.place, row.query);
    return stage === UNASKED ? "" : this.letter(stage, `${this.page.data.systems[system].label}: ${this.told(row, system)}`);
  }

  letter(stage, name) {
    return make("span", { className: `stage st${stage}`, role: "img", ariaLabel: name, title: name, textContent: LETTERS[stage] });
  }

  key() {
    return STAGES.map((name, i) => make("span", { className: "entry" }, this.letter(i, this.page.nameOf(name)), ` ${this.page.nameOf(name)}`));
  }

  // --- one question ---------------------------------------------------------------------------------

  open(row) {
    const { data, state } = this.page;
    const { queries, id } = data.materials[row.material];
    const held = this.page.held(row.material, state.system, state.place);
    const ways = this.page.ground(row.material).byQuery[row.query];
    const chips = (way) => make("li", {}, ...way.claims.map((claim) => this.chip({ material: row.material, claim, held: held.has(claim) })),
      ...way.unless.map((claim) => make("span", { className: "need drop", textContent: data.materials[row.material].claims.id[claim] })));
    const answer = queries.answer[row.query];
    this.inside.replaceChildren(
      make("p", { className: "name", dir: "auto", textContent: `${id} · ${queries.id[row.query]} · ${percent(this.weight(row))} of its questions` }),
      make("h3", { id: "asked", dir: "auto", textContent: this.text(row) }),
      make("p", { dir: "auto" }, make("span", { className: "soft", textContent: "Answer: " }), answer || "not told"),
      make("h4", { textContent: ways.length > 1 ? `Any of these ${ways.length} answers it` : ways.length ? "Needs" : "No support is known" }),
      make("ol", { className: "ways" }, ...ways.slice(0, 20).map(chips)),
      make("h4", { textContent: `Lost at ${this.page.placeName()}` }), this.byStage(row));
    this.dialog.showModal();
  }

  byStage(row) {
    const groups = STAGES.map(() => []);
    this.page.data.systems.forEach((_, system) => {
      const stage = this.page.stage(row.material, system, this.page.state.place, row.query);
      if (stage !== UNASKED) groups[stage].push(system);
    });
    const named = (system) => make("span", { className: `tag ${this.page.data.systems[system].kind}` }, this.page.swatch(system), this.page.data.systems[system].label);
    return make("dl", { className: "by-stage" }, ...groups.flatMap((systems, stage) => (systems.length
      ? [make("div", {}, make("dt", {}, this.letter(stage, ""), ` ${this.page.nameOf(STAGES[stage])}`), make("dd", {}, ...systems.map(named)))] : [])));
  }
}
