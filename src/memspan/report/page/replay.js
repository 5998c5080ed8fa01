// A replay: choose an order and a capacity, follow one policy through pictures and tables, read curves under the pointer.

document.addEventListener("DOMContentLoaded", () => {
  const data = JSON.parse(document.querySelector(".data").textContent);
  const state = { cell: 0, policy: null };
  const sections = [...document.querySelectorAll(".cell.each")];
  const tables = sections.map((section, i) => ranks(section.querySelector(".panel.ranks"), data.cells[i]));
  const held = byMaterial();
  const bar = document.querySelector(".bar");
  if (bar) {
    data.cells.forEach((cell, i) => {
      const button = make("button", { type: "button", textContent: cell.name.replace(" %", "\u00a0%") });
      button.addEventListener("click", () => { state.cell = i; draw(); });
      bar.append(button);
    });
  }

  function follow(policy) {
    state.policy = state.policy === policy ? null : policy;
    draw();
  }

  // The policy beside the baseline: the one that is followed, else the best.
  function followed() {
    if (state.policy && state.policy !== data.baseline) return state.policy;
    return (data.cells[state.cell].rows.find((row) => row.policy !== data.baseline) ?? data.cells[state.cell].rows[0]).policy;
  }

  function pick(row) {
    const button = make("button", { type: "button", className: "pick", textContent: row.policy });
    button.addEventListener("click", (event) => { event.stopPropagation(); follow(row.policy); });
    return make("span", { className: `${row.kind}${row.policy === data.baseline ? " baseline" : ""}` }, make("span", { className: "dot" }), button);
  }

  function figure(value, range, digits) {
    if (value === null) return "–";
    const told = digits === null ? percent(value) : value.toFixed(digits);
    return range === "-" ? told : [told, make("span", { className: "range", textContent: range.replace(/ %/g, "\u00a0%") })];
  }

  function ranks(place, cell) {
    const table = new Table([
      { title: "policy", kind: "who", value: (row) => row.policy, draw: pick },
      { title: data.around && !data.several ? `of the bound, ${data.around}` : "of the bound", kind: "n", value: (row) => row.share ?? -1, draw: (row) => figure(row.share, row.spread, null) },
      { title: `× ${data.baseline}`, kind: "n", value: (row) => row.ratio ?? -1, draw: (row) => figure(row.ratio, row.ratios, 2) },
      { title: "regret", kind: "n", value: (row) => row.end ?? -1, draw: (row) => figure(row.end, row.regrets, 1) },
      ...(data.grows ? [{ title: "growth", kind: "n", value: (row) => row.growth ?? -1, draw: (row) => figure(row.growth, row.growths, 2) }] : []),
      { title: "answered", kind: "n", value: (row) => row.answered ?? -1, draw: (row) => figure(row.answered, "-", null) },
    ], { onRow: (row) => follow(row.policy), rowClass: (row) => (row.policy === state.policy ? "here" : "") });
    place.classList.toggle("many", cell.rows.length > 12);
    place.append(table.element);
    table.show(cell.rows);
    return table;
  }

  function byMaterial() {
    const share = (of) => ({
      kind: "n",
      value: (row) => shares(of())[row.at] ?? -1,
      draw: (row) => figure(shares(of())[row.at], "-", null),
    });
    const shares = (policy) => data.cells[state.cell].rows.find((row) => row.policy === policy).materials;
    const policy = { title: "", ...share(followed) };
    const columns = [
      { title: "material", kind: "prose", value: (row) => row.id },
      { title: "claims", kind: "n", value: (row) => row.claims },
      { title: "sessions", kind: "n", value: (row) => row.sessions },
      { title: "questions", kind: "n", value: (row) => row.questions },
      policy,
      { title: data.baseline, ...share(() => data.baseline) },
    ];
    const table = new Table(columns);
    document.querySelector(".by-material").append(table.element);
    table.show(data.materials.map(([id, claims, sessions, questions], at) => ({ id, claims, sessions, questions, at })));
    return { table, followed: policy };
  }

  function draw() {
    const cell = data.cells[state.cell];
    sections.forEach((section, i) => section.classList.toggle("shown", i === state.cell));
    if (bar) [...bar.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === state.cell)));
    document.querySelectorAll(".chart").forEach((chart) => {
      chart.classList.toggle("dimmed", state.policy !== null);
      chart.querySelectorAll(".policy").forEach((each) => {
        each.dataset.usual ??= String(each.classList.contains("on"));
        const name = each.dataset.policy;
        const on = state.policy === null ? each.dataset.usual === "true"
          : name === state.policy || name === data.baseline || name === "bound";
        each.classList.toggle("on", on);
      });
    });
    tables[state.cell].draw();
    const shown = followed();
    held.followed.title = shown;
    held.table.head.children[4].querySelector("button").textContent = shown;
    held.table.draw();
    document.querySelector(".where").textContent = `, for ${cell.name.replace(" %", "\u00a0%")}`;
  }

  document.querySelectorAll(".chart .policy").forEach((each) => {
    if (each.dataset.policy !== "bound") each.addEventListener("click", () => follow(each.dataset.policy));
  });

  document.querySelectorAll("figure").forEach((place) => {
    const cell = data.cells[Number(place.closest("[data-cell]").dataset.cell)];
    const tip = place.querySelector(".tip");
    place.addEventListener("pointermove", (event) => {
      const chart = event.target.closest("svg");
      if (!chart || !cell.steps.length) return;
      const box = chart.getBoundingClientRect();
      const [left, right, steps] = ["left", "right", "steps"].map((name) => Number(chart.dataset[name]));
      const x = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
      const step = (x - left) / (right - left) * steps;
      const at = cell.steps.reduce((best, each, i) => (Math.abs(each - step) < Math.abs(cell.steps[best] - step) ? i : best), 0);
      const place_ = left + cell.steps[at] / steps * (right - left);
      const cursor = chart.querySelector(".cursor");
      cursor.setAttribute("transform", `translate(${place_} 0)`);
      cursor.setAttribute("visibility", "visible");
      tip.textContent = told(cell, at, chart.classList.contains("level"));
      tip.hidden = false;
      const shift = place_ / chart.viewBox.baseVal.width * box.width;
      tip.style.left = `${Math.max(80, Math.min(box.width - 80, shift))}px`;
      tip.style.top = "0";
    });
    place.addEventListener("pointerleave", () => {
      tip.hidden = true;
      place.querySelectorAll(".cursor").forEach((each) => each.setAttribute("visibility", "hidden"));
    });
  });

  function told(cell, at, level) {
    const names = [...new Set([state.policy, cell.rows[0].policy, data.baseline].filter(Boolean))];
    const rows = names.map((name) => cell.rows.find((row) => row.policy === name));
    const value = (share) => (share === null ? "–" : percent(share));
    const lines = level
      ? [`bound ${value(cell.bound[at])}`, ...rows.map((row) => `${row.policy} ${value(row.expected[at])}`)]
      : rows.map((row) => `${row.policy} ${row.regret[at].toFixed(1)}`);
    return [`step ${number(cell.steps[at])}`, ...lines].join("\n");
  }

  draw();
});
