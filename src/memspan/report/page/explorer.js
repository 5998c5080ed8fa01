// The frontier to walk along: one capacity at a time, the memory that is best there, and what it lacks.
// Without this script the page shows the same as plain tables.

class Explorer {
  constructor(article) {
    this.article = article;
    this.find = (name) => article.querySelector(`.${name}`);
    this.data = JSON.parse(this.find("data").textContent);
    this.walks = Object.fromEntries(Object.entries(this.data.trails).map(([name, trail]) => [name, new Walk(trail)]));
    this.walk = this.walks.coverage;
    this.tables = this.makeTables();
    this.tab = "memory";
    this.makeTabs();
    this.listen();
  }

  mass(weight) {
    return this.data.total ? weight / this.data.total : 0;
  }

  name(claim) {
    return this.data.claims.text[claim] || this.data.claims.id[claim];
  }

  // The first stop that answers half of the questions: a good place to start.
  halfway() {
    const found = this.walk.lower.findIndex((weight) => 2 * weight >= this.data.total);
    return found < 0 ? this.walk.steps.length - 1 : found;
  }

  // --- tables -------------------------------------------------------------------------------------

  makeTables() {
    const { claims, queries } = this.data;
    const uses = claims.id.map(() => 0);
    queries.routes.forEach((ways) => new Set(ways.flatMap((way) => way[0])).forEach((claim) => { uses[claim] += 1; }));
    const id = { title: "claim", kind: "id", value: (claim) => claims.id[claim] };
    const text = { title: "text", kind: "prose", value: (claim) => claims.text[claim] };
    const source = { title: "source", kind: "src", value: (claim) => claims.source[claim] };
    const helps = { title: "helps answer", kind: "n", value: (claim) => uses[claim] };
    const cost = { title: this.data.unit, kind: "n", value: (claim) => claims.cost[claim] };
    const truth = { title: "true", value: (claim) => claims.truth[claim] ?? "", draw: (claim) => this.drawTruth(claim) };
    const shared = [...(claims.text.some(Boolean) ? [text] : []), ...(claims.source.some(Boolean) ? [source] : []), helps,
      ...(this.data.unit === "claims" ? [] : [cost]), ...(claims.truth ? [truth] : [])];
    const since = { title: "from", kind: "n", value: (claim) => this.since(claim), format: (claim) => this.sinceText(claim) };
    const entering = (claim) => (this.walk.steps[this.walk.at][0].includes(claim) ? "new" : "");
    return {
      memory: new Table([id, ...shared], { rowClass: entering, empty: "Nothing is held." }),
      open: this.openTable(),
      steps: this.stepTable(),
      claims: new Table([id, ...shared, since], { rowClass: (claim) => (this.walk.held.has(claim) ? "here" : "") }),
    };
  }

  openTable() {
    const { queries } = this.data;
    return new Table([
      { title: "question", kind: "prose", value: (need) => queries.text[need.query] || queries.id[need.query] },
      { title: "answer", kind: "src", value: (need) => queries.answer[need.query] },
      { title: "weight", kind: "n", value: (need) => this.mass(queries.weight[need.query]),
        format: (need) => percent(this.mass(queries.weight[need.query])) },
      { title: "lacks", kind: "n", value: (need) => need.missing.length + need.drop.length },
      { title: "needs", kind: "prose", value: (need) => this.needText(need), draw: (need) => this.drawNeed(need) },
    ], { empty: "Every question that has a support is answered." });
  }

  stepTable() {
    const names = (claims) => claims.map((claim) => `${this.data.claims.id[claim]} ${this.data.claims.text[claim]}`).join("\n");
    const chips = (claims) => claims.map((claim) => this.chip(claim, "short"));
    const steps = (i) => this.walk.steps[i];
    return new Table([
      { title: this.data.unit, kind: "n", value: (i) => this.walk.capacity[i], format: (i) => number(this.walk.capacity[i]) },
      { title: "answered", kind: "n", value: (i) => this.mass(this.walk.lower[i]), format: (i) => this.bounds(i) },
      { title: "gain", kind: "n", value: (i) => this.gain(i), format: (i) => `+${percent(this.gain(i))}` },
      { title: "enters", kind: "prose", value: (i) => names(steps(i)[0]), draw: (i) => chips(steps(i)[0]) },
      { title: "leaves", kind: "prose", value: (i) => names(steps(i)[1]), draw: (i) => chips(steps(i)[1]) },
    ], { onRow: (i) => this.go(i), rowClass: (i) => (i === this.walk.at ? "here" : "") });
  }

  drawTruth(claim) {
    const truth = this.data.claims.truth[claim];
    if (truth === null) return "";
    if (truth < 0.5) return make("span", { className: "false", textContent: truth === 0 ? "false" : `false (${truth})` });
    return truth === 1 ? "true" : String(truth);
  }

  chip(claim, kind) {
    return make("span", { className: `need ${kind}`, dir: "auto" },
      make("span", { className: "id", textContent: this.data.claims.id[claim] }), this.data.claims.text[claim]);
  }

  drawNeed(need) {
    return [...need.missing.map((claim) => this.chip(claim, "")), ...need.drop.map((claim) => this.chip(claim, "drop"))];
  }

  needText(need) {
    const id = (claim) => this.data.claims.id[claim];
    return [...need.missing.map(id), ...need.drop.map((claim) => `without ${id(claim)}`)].join(" + ");
  }

  // The cheapest way to answer a query that the memory held now leaves open.
  need(query) {
    const { claims, queries } = this.data;
    const needs = queries.routes[query].map(([wanted, unless = []]) => {
      const missing = wanted.filter((claim) => !this.walk.held.has(claim));
      const drop = unless.filter((claim) => this.walk.held.has(claim));
      return { query, missing, drop, cost: missing.reduce((sum, claim) => sum + claims.cost[claim], 0) };
    });
    const worse = (a, b) => (a.drop.length > 0) - (b.drop.length > 0) || a.cost - b.cost || a.missing.length - b.missing.length;
    return needs.reduce((best, need) => (worse(need, best) < 0 ? need : best));
  }

  // The first stop of the walk whose memory holds each claim.
  since(claim) {
    if (this.walk.first === undefined) {
      this.walk.first = new Map();
      this.walk.steps.forEach(([enter], i) => enter.forEach((each) => {
        if (!this.walk.first.has(each)) this.walk.first.set(each, this.walk.capacity[i]);
      }));
    }
    return this.walk.first.get(claim) ?? Infinity;
  }

  sinceText(claim) {
    return Number.isFinite(this.since(claim)) ? number(this.since(claim)) : "never";
  }

  rows(tab) {
    const order = (set) => [...set].sort((a, b) => a - b);
    if (tab === "memory") return order(this.walk.held);
    if (tab === "steps") return this.walk.capacity.map((_, i) => i).slice(1);
    if (tab === "claims") return this.data.claims.id.map((_, i) => i);
    const weight = this.data.queries.weight;
    return weight.map((_, query) => query).filter((query) => !this.walk.answered.has(query))
      .sort((a, b) => weight[b] - weight[a] || a - b).map((query) => this.need(query));
  }

  makeTabs() {
    this.buttons = Object.fromEntries(Object.keys(this.tables).map((tab) => {
      const button = make("button", { type: "button", role: "tab" });
      button.addEventListener("click", () => { this.tab = tab; this.drawTable(); remember(this); });
      return [tab, button];
    }));
    this.find("tabs").append(...Object.values(this.buttons));
    this.find("tabs").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const names = Object.keys(this.buttons);
      const next = names[(names.indexOf(this.tab) + step + names.length) % names.length];
      this.buttons[next].click();
      this.buttons[next].focus();
    });
  }

  drawTable() {
    const open = this.data.queries.id.length - this.walk.answered.size;
    const titles = { memory: `Memory ${number(this.walk.held.size)}`, open: `Unanswered ${number(open)}`,
      steps: "Every step", claims: `All claims ${number(this.data.claims.id.length)}` };
    for (const [tab, button] of Object.entries(this.buttons)) {
      button.textContent = titles[tab];
      button.setAttribute("aria-selected", tab === this.tab);
      button.tabIndex = tab === this.tab ? 0 : -1;
    }
    const table = this.tables[this.tab];
    if (this.find("panel").firstChild !== table.element) this.find("panel").replaceChildren(table.element);
    table.show(this.rows(this.tab));
  }

  // --- the capacity chosen --------------------------------------------------------------------------

  listen() {
    const on = (name, event, act) => this.find(name).addEventListener(event, act);
    on("capacity", "input", (event) => this.go(this.nearest(Number(event.target.value))));
    on("capacity", "keydown", (event) => this.press(event));
    on("number", "change", (event) => this.go(this.walk.stop(Number(event.target.value))));
    on("back", "click", () => this.go(this.walk.at - 1));
    on("next", "click", () => this.go(this.walk.at + 1));
    this.find("aim")?.addEventListener("change", (event) => {
      const capacity = this.walk.capacity[this.walk.at];
      this.walk = this.walks[event.target.value];
      this.go(this.walk.stop(capacity));
    });
    this.charts = [...this.article.querySelectorAll("figure .chart")];
    this.charts.forEach((chart) => this.follow(chart));
  }

  // The slider counts capacities, so that its thumb stands under the cursor; its keys go from stop to stop.
  press(event) {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    this.go(this.walk.at + step);
  }

  nearest(capacity) {
    const at = this.walk.stop(capacity);
    const next = Math.min(at + 1, this.walk.capacity.length - 1);
    return this.walk.capacity[next] - capacity < capacity - this.walk.capacity[at] ? next : at;
  }

  // Hovering shows a capacity, pressing and dragging goes there.
  follow(chart) {
    const stop = (event) => {
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
      const { left, right, end } = chart.dataset;
      return this.walk.stop(Math.round(((x - left) / (right - left)) * end));
    };
    chart.addEventListener("pointerdown", (event) => { chart.setPointerCapture(event.pointerId); this.go(stop(event)); });
    chart.addEventListener("pointermove", (event) => (event.buttons ? this.go(stop(event)) : this.hover(chart, stop(event))));
    chart.addEventListener("pointerleave", () => { this.find("tip").hidden = true; });
  }

  hover(chart, stop) {
    const tip = this.find("tip");
    const [x, y] = this.place(chart, stop);
    const { width, height } = chart.viewBox.baseVal;
    tip.textContent = `${counted(this.walk.capacity[stop], this.data.unit)}: ${this.bounds(stop)}`;
    tip.style.left = `${Math.min(Math.max((100 * x) / width, 14), 86)}%`;
    tip.style.top = `${(y / height) * chart.getBoundingClientRect().height - 12}px`;
    tip.hidden = false;
  }

  place(chart, stop) {
    const { left, right, top, bottom, end } = Object.fromEntries(
      Object.entries(chart.dataset).map(([name, value]) => [name, Number(value)]));
    const across = left + (right - left) * Math.min(this.walk.capacity[stop] / end, 1);
    return [across, bottom + (top - bottom) * this.mass(this.walk.lower[stop])];
  }

  go(to) {
    this.walk.go(Math.min(Math.max(to, 0), this.walk.steps.length - 1));
    this.draw();
    remember(this);
  }

  draw() {
    const { at, capacity } = this.walk;
    this.find("capacity").max = this.charts[0].dataset.end;
    this.find("capacity").value = capacity[at];
    this.find("capacity").setAttribute("aria-valuetext", counted(capacity[at], this.data.unit));
    this.find("number").value = capacity[at];
    this.find("number").max = capacity.at(-1);
    this.find("back").disabled = at === 0;
    this.find("next").disabled = at === capacity.length - 1;
    this.drawCursor();
    this.say();
    this.drawChanges();
    this.drawTable();
  }

  drawCursor() {
    for (const chart of this.charts) {
      const [x, y] = this.place(chart, this.walk.at);
      chart.querySelectorAll(".cursor").forEach((part) => part.setAttribute("visibility", "visible"));
      chart.querySelector(".stem").setAttribute("transform", `translate(${x} 0)`);
      chart.querySelector(".now").setAttribute("transform", `translate(${x} ${y})`);
      if (chart.getBoundingClientRect().width) this.layRange(chart);
    }
  }

  // The slider spans the axis; half of its thumb (16 pixels) hangs over at both ends.
  layRange(chart) {
    const { left, right } = chart.dataset;
    const across = (at) => (100 * at) / chart.viewBox.baseVal.width;
    Object.assign(this.find("capacity").style, { left: `calc(${across(left)}% - 8px)`, width: `calc(${across(right - left)}% + 16px)` });
  }

  gain(stop) {
    return stop ? this.mass(this.walk.lower[stop] - this.walk.lower[stop - 1]) : 0;
  }

  bounds(stop) {
    const [lower, upper] = [this.walk.lower[stop], this.walk.upper[stop]].map((weight) => percent(this.mass(weight)));
    return lower === upper ? lower : `${lower} to ${upper}`;
  }

  say() {
    const { at, capacity, lower, upper } = this.walk;
    const bold = (text) => make("b", { textContent: text });
    const which = this.walk === this.walks.precision ? " with true claims only" : "";
    const certain = !this.data.annotated ? "by the likeliest supports" : lower[at] === upper[at] ? "proven optimal" : "not yet proven";
    const before = at ? `, ${points(this.gain(at))} more than ${counted(capacity[at - 1], this.data.unit)}` : "";
    this.find("say").replaceChildren(bold(counted(capacity[at], this.data.unit)), capacity[at] === 1 ? " answers " : " answer ",
      bold(this.bounds(at)), `${which} (${certain})${before}.`);
  }

  drawChanges() {
    const list = (title, sign, claims) => (claims.length ? [make("div", {}, make("h4", { textContent: title }),
      ...claims.slice(0, 6).map((claim) => make("p", { dir: "auto" }, make("span", { className: "mark", textContent: sign }), this.name(claim))),
      ...(claims.length > 6 ? [make("p", { className: "soft", textContent: `and ${claims.length - 6} more` })] : []))] : []);
    const [enter, leave] = this.walk.at ? this.walk.steps[this.walk.at] : [[], []];
    this.find("changes").replaceChildren(...list(`Enters (${enter.length})`, "+", enter), ...list(`Leaves (${leave.length})`, "−", leave));
  }
}
