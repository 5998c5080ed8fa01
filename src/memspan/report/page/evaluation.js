// The page of an evaluation: one system, one capacity, one material or all of them, and everything that follows.
// Without this script the page shows the best system at the usual capacity as plain tables.

let waiting;

class Page {
  constructor() {
    this.find = (name) => document.querySelector(name);
    this.data = JSON.parse(this.find("script.data").textContent);
    this.names = Object.keys(this.data.parts);
    this.grounds = new Map();
    this.memories = new Map();
    this.sizes = new Map();
    const [system, place] = this.data.shown.split("/");
    this.state = { system: Number(system), place, material: this.data.of > 1 ? -1 : 0, part: "", tab: "add", stage: "" };
    this.several = this.data.of > 1;
    this.drill = new Drill(this);
    this.fall = new Fall(this.find(".fall"), this.names, (part) => this.openPart(part));
    this.pictures = new Pictures(this);
    this.makeTables();
    this.makeChoices();
    this.listen();
  }

  // --- what is known --------------------------------------------------------------------------------

  ground(material) {
    if (!this.grounds.has(material)) this.grounds.set(material, new Ground(this.data.materials[material]));
    return this.grounds.get(material);
  }

  // The point asked for; a system that has none there is shown at its own size, and one that has no size of
  // its own at the capacity just below that of the system chosen.
  key(material, system, place) {
    const { points } = this.data.materials[material];
    return [place, "own", this.below(material)].map((each) => `${system}/${each}`).find((key) => key in points);
  }

  below(material) {
    const name = `${material}/${this.state.system}`;
    if (!this.sizes.has(name)) {
      const { points } = this.data.materials[material];
      const size = points[`${this.state.system}/own`]?.[1] ?? 0;
      const fits = (place) => Object.entries(points).some(([key, [capacity]]) => key.endsWith(`/${place}`) && capacity <= size);
      this.sizes.set(name, [...this.data.places.keys()].findLast(fits) ?? 0);
    }
    return this.sizes.get(name);
  }

  point(material, system, place) {
    const found = this.data.materials[material].points[this.key(material, system, place)];
    if (!found) return null;
    const [capacity, size, fall, first, stages, memory, tokens] = found;
    return { capacity, size, fall: this.data.falls[fall], first: this.data.first[first], stages, memory, tokens };
  }

  held(material, system, place) {
    const key = `${material}/${this.key(material, system, place)}`;
    if (!this.memories.has(key)) {
      const point = this.point(material, system, place);
      const bytes = point ? atob(point.memory) : "";
      const held = new Set();
      for (let i = 0; i < 8 * bytes.length; i += 1) if ((bytes.charCodeAt(i >> 3) >> (i & 7)) & 1) held.add(i);
      this.memories.set(key, held);
    }
    return this.memories.get(key);
  }

  stage(material, system, place, query) {
    return this.data.materials[material].points[this.key(material, system, place)]?.[4][query] ?? UNASKED;
  }

  nameOf(stage) {
    return stage === "reached" ? this.data.end : this.data.parts[stage][0];
  }

  standing(system, place) {
    return this.data.standings[`${system}/${place}`];
  }

  scope() {
    return this.state.material >= 0 ? [this.state.material] : this.data.materials.map((_, i) => i);
  }

  placesOf(system) {
    const here = (place) => (this.state.material < 0 ? this.standing(system, place)
      : this.data.materials[this.state.material].points[`${system}/${place}`]);
    return [...this.data.places.keys(), "own"].map(String).filter(here);
  }

  placeName(place = this.state.place) {
    if (place === "own") return "its own size";
    const name = `${this.data.places[place].replace("%", "\u00a0%")} of the claims`;
    if (this.state.material < 0) return name;
    const point = this.point(this.state.material, this.state.system, place);
    return point && point.capacity !== null ? counted(point.capacity, "claims") : name;
  }

  swatch(system) {
    const drawn = this.find(`.legend [data-system="${system}"] svg`).cloneNode(true);
    return make("span", { className: `sw ${this.data.systems[system].kind}` }, drawn);
  }

  // The label with places where a narrow page may break it.
  broken(system) {
    const parts = this.data.systems[system].label.split(/(?=:)/);
    return parts.flatMap((part, i) => (i ? [make("wbr"), part] : [part]));
  }

  // --- tables ---------------------------------------------------------------------------------------

  makeTables() {
    this.lost = this.drill.lostTable(this.several);
    this.find(".lost .panel").append(this.lost.element);
    this.matrix = this.drill.matrix(this.several);
    this.find(".matrix").append(this.matrix.element);
    this.league = this.leagueTable();
    this.find("div.league").append(this.league.element);
    this.league.show(this.data.systems.map((_, i) => i));
    this.changes = { add: this.addTable(), drop: this.dropTable() };
    this.tabs = Object.fromEntries(Object.keys(this.changes).map((tab) => {
      const button = make("button", { type: "button", role: "tab" });
      button.addEventListener("click", () => this.go({ tab }));
      return [tab, button];
    }));
    this.find(".tabs").append(...Object.values(this.tabs));
    this.find(".tabs").addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      this.go({ tab: this.state.tab === "add" ? "drop" : "add" });
      this.tabs[this.state.tab].focus();
    });
    this.find(".stages").append(...this.drill.key());
  }

  leagueTable() {
    const name = (system) => {
      const button = make("button", { type: "button", className: "pick-system" }, this.swatch(system), make("span", {}, ...this.broken(system)));
      button.addEventListener("click", () => this.go({ system }));
      return button;
    };
    const of = (title, value, write = percent) => ({ title, kind: "n", value: (system) => middle(value(system)) ?? -1,
      draw: (system) => this.drawRange(value(system), write) });
    const at = (place) => (system) => this.standing(system, place)?.share;
    const shown = (key) => (system) => (this.standing(system, this.data.place) || this.standing(system, "own"))?.[key];
    const tokens = (value) => number(Math.round(value));
    return new Table([
      { title: "system", kind: "who", value: (system) => this.data.systems[system].label, draw: name },
      ...this.data.columns.map((place) => of(`at ${this.data.places[place].replace("%", "\u00a0%")}`, at(place))),
      of("own size", at("own")), of("read", shown("read")), ...(this.data.answered ? [of("right", shown("right"))] : []),
      of("tokens a question", shown("tokens"), tokens),
    ], { rowClass: (system) => (system === this.state.system ? "here" : ""), onRow: (system) => this.go({ system }) });
  }

  drawRange(value, write) {
    if (value === undefined || value === null) return "";
    const room = this.several ? [make("span", { className: "range" })] : [];
    if (!Array.isArray(value)) return [write(value), ...room];
    const limits = `${write(value[1]).replace(/\u00a0%$/, "")}–${write(value[2]).replace(/\u00a0%$/, "")}`;
    return [write(value[0]), make("span", { className: "range", textContent: limits })];
  }

  addTable() {
    const { materials } = this.data;
    const queries = (row) => row.queries.map((query) => this.drill.text({ material: row.material, query }));
    const turns = (row) => row.queries.map((query) => make("span", { className: "turn" }, this.drill.question({ material: row.material, query })));
    return new Table([
      { title: "claims to add", kind: "prose", value: (row) => row.claims.map((claim) => `${materials[row.material].claims.id[claim]} ${materials[row.material].claims.text[claim]}`).join("\n"),
        draw: (row) => row.claims.map((claim) => this.claim(row.material, claim)) },
      { title: "gain", kind: "n", value: (row) => row.gain, format: (row) => `+${percent(row.gain)}` },
      { title: "questions that turn", kind: "prose", value: (row) => queries(row).join("\n"), draw: turns },
      ...this.materialColumn(),
    ], { empty: "No claim would turn a question.", page: 10 });
  }

  dropTable() {
    const { materials } = this.data;
    const reasons = { unused: "no question needs it", false: "false", redundant: "what it covers is covered without it" };
    return new Table([
      { title: "claim", kind: "id", value: (row) => materials[row.material].claims.id[row.claim] },
      { title: "text", kind: "prose", value: (row) => materials[row.material].claims.text[row.claim] },
      { title: "reason", kind: "src", value: (row) => reasons[row.reason] },
      ...this.materialColumn(),
    ], { empty: "Nothing can go without loss.", page: 10 });
  }

  materialColumn() {
    return this.several ? [{ title: "material", kind: "src", value: (row) => this.data.materials[row.material].id }] : [];
  }

  claim(material, claim) {
    const { claims } = this.data.materials[material];
    return make("span", { className: "need short", dir: "auto" }, make("span", { className: "id", textContent: claims.id[claim] }), " ", claims.text[claim]);
  }

  // --- choices --------------------------------------------------------------------------------------

  makeChoices() {
    const option = (value, text) => make("option", { value: String(value), textContent: text });
    this.find(".choose-system").append(...this.data.systems.map(({ label }, i) => option(i, label)));
    this.find(".choose-material")?.append(option(-1, `all ${number(this.data.of)}, on average`), ...this.data.materials.map(({ id, level }, i) => option(i, level ? `${id} (level ${level})` : id)));
    this.find(".choose-stage").append(option("", "anywhere or nowhere"), ...STAGES.map((name, i) => option(i, this.nameOf(name))));
  }

  listen() {
    const on = (name, key, turn = (value) => value) => this.find(name)?.addEventListener("change", (event) => this.go({ [key]: turn(event.target.value) }));
    on(".choose-system", "system", Number);
    on(".choose-place", "place");
    on(".choose-material", "material", Number);
    on(".choose-stage", "stage");
    this.find(".lost .close").addEventListener("click", () => { const { part } = this.state; this.go({ part: "" }); this.find(`[data-part="${part}"] button`)?.focus(); });
    document.querySelectorAll(".legend button").forEach((button) => {
      const system = Number(button.dataset.system);
      button.addEventListener("click", () => this.go({ system }));
      for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => this.pictures.light(system));
      for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => this.pictures.light(null));
    });
    this.league.body.addEventListener("pointerover", (event) => {
      const row = event.target.closest("tr");
      if (row?.hasAttribute("data-row")) this.pictures.light(this.data.systems.findIndex(({ label }) => label === row.querySelector(".pick-system").textContent));
    });
    this.league.body.addEventListener("pointerleave", () => this.pictures.light(null));
  }

  openPart(part) {
    if (part !== "all") this.go({ part: this.state.part === part ? "" : part });
  }

  // --- going and drawing ----------------------------------------------------------------------------

  go(change) {
    const before = this.state;
    this.state = { ...this.state, ...change };
    this.settle();
    this.draw(before);
    this.remember();
  }

  // A place that the system has no point at gives way to one that it has.
  settle() {
    const places = this.placesOf(this.state.system);
    if (!places.length) { this.state.material = -1; return; }
    if (!places.includes(this.state.place)) this.state.place = places.includes(String(this.data.place)) ? String(this.data.place) : places.at(-1);
  }

  draw(before = {}) {
    if (before.material !== this.state.material) this.pictures.show();
    this.pictures.light(null);
    document.querySelectorAll(".legend button").forEach((each) => each.setAttribute("aria-pressed", String(Number(each.dataset.system) === this.state.system)));
    this.drawChoices();
    this.drawFall();
    this.drawLost();
    this.league.draw();
    this.drawChanges();
    this.drawMatrix();
  }

  drawChoices() {
    const { system, place, material, stage } = this.state;
    this.find(".choose-system").value = system;
    this.find(".choose-place").replaceChildren(...this.placesOf(system).map((each) => make("option", { value: each, textContent: this.placeName(each) })));
    this.find(".choose-place").value = place;
    if (this.find(".choose-material")) this.find(".choose-material").value = material;
    this.find(".choose-stage").value = stage;
  }

  drawFall() {
    const { system, place, material } = this.state;
    const point = material < 0 ? null : this.point(material, system, place);
    const row = point ? point.fall : this.standing(system, place).fall;
    this.fall.show(row, this.state.part, row[this.names.length + 1] ? "answered rightly" : "read");
    const bold = (text) => make("b", { textContent: text });
    const left = turned(row[this.names.length], (value) => 1 - value);
    const end = row[this.names.length + 1] ? "are answered rightly" : "are read with all they need";
    const where = point ? ` It holds ${counted(point.size, "claims")} and reads ${number(Math.round(point.tokens))} tokens a question.`
      : this.several ? ` Means over ${counted(this.standing(system, place).n, "materials")}.` : "";
    this.find("#falls .say").replaceChildren(bold(this.data.systems[system].label), ` at ${this.placeName()}: `, bold(ranged(left)), ` of all questions ${end}.${where}`);
  }

  rows(keep) {
    const { system, place } = this.state;
    return this.scope().flatMap((material) => this.data.materials[material].queries.id.map((_, query) => ({ material, query })))
      .filter((row) => keep(this.stage(row.material, system, place, row.query), row));
  }

  inPart(part) {
    if (part === "left") return (stage) => stage === "7";
    if (part !== "anyway") return (stage) => stage === String(STAGES.indexOf(part));
    const { system, place } = this.state;
    const covered = new Map(this.scope().map((m) => [m, this.ground(m).covered(this.held(m, system, place))]));
    return (stage, row) => stage === "7" && !covered.get(row.material).has(row.query);
  }

  drawLost() {
    const { part } = this.state;
    this.find(".lost").hidden = !part;
    if (!part) return;
    const rows = this.rows(this.inPart(part)).sort((a, b) => this.drill.weight(b) - this.drill.weight(a));
    const mass = rows.reduce((sum, row) => sum + this.drill.weight(row), 0) / this.scope().length;
    this.find(".lost h3").textContent = part === "left" ? this.data.end : this.data.parts[part][0];
    this.find(".lost p").textContent = this.lostNote(part, rows.length, mass);
    this.lost.show(rows);
  }

  lostNote(part, count, mass) {
    const meaning = part === "left" ? "" : ` ${this.data.parts[part][1]}.`;
    const told = `${counted(count, "questions")}, ${percent(mass)} of all:${meaning || " what is left."}`;
    if (part === "anyway") return `${told} Those that were held and not read stand under ‘${this.data.end}’.`;
    const point = this.state.material < 0 ? null : this.point(this.state.material, this.state.system, this.state.place);
    const row = point ? point.fall : this.standing(this.state.system, this.state.place).fall;
    const bar = part === "left" ? null : middle(row[this.names.indexOf(part)]);
    const apart = bar !== null && Math.abs(bar - mass) > 0.0006;
    if (apart && ["write", "compression"].includes(part)) {
      return `${told} The bar tells ${percent(bar)}: it compares with the best memory as a whole, and this one answers questions which that one leaves.`;
    }
    return apart ? `${told} The bar is a mean over draws or outcomes; the list goes by the first draw.` : told;
  }

  drawChanges() {
    const { system, place, tab } = this.state;
    const points = this.scope().map((m) => [m, this.point(m, system, place)]).filter(([, point]) => point);
    const worst = points.reduce((most, each) => (!most || this.lostAt(each[1]) > this.lostAt(most[1]) ? each : most), null);
    const on = points.length > 1 ? ` on ${this.data.materials[worst[0]].id}` : "";
    this.find(".first").textContent = worst ? `${this.data.systems[system].label}${on}: ${worst[1].first}`.replaceAll(" %", "\u00a0%") : "";
    this.advise(points);
    for (const [name, button] of Object.entries(this.tabs)) {
      button.textContent = `${name === "add" ? "Claims to add" : "Claims to drop"} ${number(this.advice[name].length)}`;
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
    }
    const table = this.changes[tab];
    if (this.find(".change.panel").firstChild !== table.element) this.find(".change.panel").replaceChildren(table.element);
    table.show(this.advice[tab]);
  }

  lostAt(point) {
    return middle(point.fall[this.names.length]);
  }

  // Worked out when it is first asked for: a memory takes a moment, and there are many.
  advise(points) {
    const key = `${this.state.system}/${this.state.place}/${this.state.material}`;
    if (this.advised === key) return;
    this.advised = key;
    this.advice = { add: [], drop: [] };
    for (const [material] of points.slice(0, 20)) {
      const [ground, held] = [this.ground(material), this.held(material, this.state.system, this.state.place)];
      this.advice.add.push(...ground.additions(held).map((each) => ({ ...each, material })));
      this.advice.drop.push(...ground.drops(held).map((each) => ({ ...each, material })));
    }
    if (points.length > 1) this.advice.add.sort((a, b) => b.gain / b.claims.length - a.gain / a.claims.length);
  }

  drawMatrix() {
    const { stage } = this.state;
    const heads = [...this.matrix.head.children].slice(-this.data.systems.length);
    heads.forEach((head, system) => head.classList.toggle("chosen", system === this.state.system));
    this.matrix.show(this.rows((found) => !stage || found === stage));
  }

  // --- the address holds what is shown --------------------------------------------------------------

  remember() {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const { system, place, material, part, tab, stage } = this.state;
      const state = new URLSearchParams({ system: this.data.systems[system].label, at: place === "own" ? place : this.data.places[place], tab });
      if (material >= 0 && this.several) state.set("material", this.data.materials[material].id);
      if (part) state.set("part", part);
      if (stage) state.set("stage", STAGES[stage]);
      history.replaceState(null, "", `#${state}`);
    }, 150);
  }

  arrive() {
    const told = new URLSearchParams(location.hash.slice(1));
    const change = {};
    const found = (key, list) => (told.has(key) ? list.indexOf(told.get(key)) : -1);
    const system = found("system", this.data.systems.map(({ label }) => label));
    if (system >= 0) change.system = system;
    const place = found("at", this.data.places);
    if (place >= 0 || told.get("at") === "own") change.place = place >= 0 ? String(place) : "own";
    if (this.several) change.material = found("material", this.data.materials.map(({ id }) => id));
    if (told.get("part") === "left" || this.names.includes(told.get("part"))) change.part = told.get("part");
    if (Object.hasOwn(this.changes, told.get("tab"))) change.tab = told.get("tab");
    const stage = found("stage", STAGES);
    change.stage = stage >= 0 ? String(stage) : "";
    this.state = { ...this.state, ...change };
    this.settle();
    this.draw();
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const page = new Page();
  page.arrive();
  window.addEventListener("hashchange", () => page.arrive());
  const method = document.querySelector(".method");
  window.addEventListener("beforeprint", () => { method.open = true; });
  window.addEventListener("afterprint", () => { method.open = false; });
  method.open = false;
});
