// A table that people work with: search, sort, pages of 50 rows or as many as are asked for, copy as CSV.
// Texts enter the page through textContent only, so nothing in a memory can act.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

class Table {
  static page = 50;

  // A column is {title, value(row), draw(row)?, kind?}: value is what is sorted, searched and copied.
  constructor(columns, { onRow = null, rowClass = null, empty = "Nothing here.", page = Table.page } = {}) {
    Object.assign(this, { columns, onRow, rowClass, empty, page, rows: [], sorted: null, start: 0 });
    this.search = make("input", { type: "search", placeholder: "Search", ariaLabel: "search this table" });
    this.search.addEventListener("input", () => { this.start = 0; this.draw(); });
    this.copy = make("button", { type: "button", textContent: "Copy as CSV" });
    this.copy.addEventListener("click", () => this.copyAll());
    this.count = make("span", { className: "count" });
    this.head = make("tr");
    this.body = make("tbody");
    this.pager = make("div", { className: "pager" });
    const table = make("table", {}, make("thead", {}, this.head), this.body);
    this.element = make("div", {},
      make("div", { className: "tools" }, this.search, this.copy, this.count),
      make("div", { className: "scroll" }, table), this.pager);
    columns.forEach((column) => this.head.append(this.heading(column)));
  }

  heading(column) {
    const button = make("button", { type: "button", textContent: column.title });
    button.addEventListener("click", () => this.sortBy(column));
    return make("th", { scope: "col", className: column.kind || "" }, button);
  }

  sortBy(column) {
    const again = this.sorted && this.sorted.column === column;
    const down = again ? !this.sorted.down : column.kind === "n";
    this.sorted = again && this.sorted.turned ? null : { column, down, turned: again };
    this.start = 0;
    this.draw();
  }

  show(rows) {
    this.rows = rows;
    this.draw();
  }

  matching() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = (row) => this.columns.map((column) => String(column.value(row))).join("\n").toLowerCase();
    const found = words.length
      ? this.rows.filter((row) => { const text = texts(row); return words.every((word) => text.includes(word)); })
      : [...this.rows];
    if (this.sorted) {
      const { column: { value }, down } = this.sorted;
      const order = (a, b) => (typeof a === "number" && typeof b === "number"
        ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true }));
      found.sort((a, b) => (down ? -1 : 1) * order(value(a), value(b)));
    }
    return found;
  }

  draw() {
    const found = this.matching();
    if (this.start >= found.length) this.start = 0;
    const shown = found.slice(this.start, this.start + this.page);
    this.body.replaceChildren(...(shown.length ? shown.map((row) => this.row(row)) : [this.nothing()]));
    this.columns.forEach((column, i) => {
      const here = this.sorted && this.sorted.column === column;
      if (here) this.head.children[i].setAttribute("aria-sort", this.sorted.down ? "descending" : "ascending");
      else this.head.children[i].removeAttribute("aria-sort");
    });
    const last = this.start + shown.length;
    const of = found.length === this.rows.length ? "" : ` found of ${number(this.rows.length)}`;
    this.count.textContent = found.length > this.page
      ? `${number(this.start + 1)}–${number(last)} of ${number(found.length)}${of}` : `${number(found.length)}${of}`;
    this.pager.replaceChildren(...(found.length > this.page ? this.steps(found.length) : []));
  }

  steps(length) {
    const step = (name, to) => {
      const button = make("button", { type: "button", textContent: name, disabled: to < 0 || to >= length });
      button.addEventListener("click", () => { this.start = to; this.draw(); });
      return button;
    };
    return [step("Previous", this.start - this.page), step("Next", this.start + this.page)];
  }

  nothing() {
    const text = this.rows.length ? "No row matches." : this.empty;
    return make("tr", {}, make("td", { colSpan: this.columns.length, className: "soft", textContent: text }));
  }

  row(row) {
    const cells = this.columns.map((column) => {
      const cell = make("td", { className: column.kind || "", dir: "auto" });
      cell.append(...[column.draw ? column.draw(row) : column.format ? column.format(row) : String(column.value(row))].flat());
      return cell;
    });
    const element = make("tr", { className: (this.rowClass && this.rowClass(row)) || "" }, ...cells);
    if (this.onRow) {
      element.setAttribute("data-row", "");
      element.addEventListener("click", () => this.onRow(row));
    }
    return element;
  }

  csv() {
    // A leading = + - @ would be run by a spreadsheet: a quote before it keeps it text.
    const safe = (value) => (typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value));
    const field = (value) => `"${safe(value).replaceAll('"', '""')}"`;
    const lines = this.matching().map((row) => this.columns.map((column) => field(column.value(row))).join(","));
    return [this.columns.map((column) => field(column.title)).join(","), ...lines].join("\r\n");
  }

  async copyAll() {
    const text = this.csv();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    this.copy.textContent = "Copied";
    setTimeout(() => { this.copy.textContent = "Copy as CSV"; }, 1500);
  }
}
