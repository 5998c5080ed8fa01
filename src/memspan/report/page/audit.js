// The list of what could go: filter, search, sort, choose, take away. Without this script: plain tables.

class Choice {
  constructor(section) {
    this.data = JSON.parse(section.querySelector(".data").textContent);
    this.rows = this.data.rows.map(([memory, what, reason, sure, keep, tokens]) => ({
      id: this.data.id[memory], text: this.data.text[memory], time: this.data.time[memory], what, sure, tokens,
      reason: this.data.reasons[reason], keepId: keep < 0 ? "" : this.data.id[keep], keepText: keep < 0 ? "" : this.data.text[keep],
    }));
    this.chosen = new Set(this.rows.filter((row) => row.sure === "sure"));
    this.said = make("p", { role: "status" });
    this.table = new Table(this.columns(), { rowClass: (row) => (this.chosen.has(row) ? "on" : ""), empty: "Nothing can go." });
    this.table.copy.remove();
    section.querySelector(".choice").append(this.bar(), this.filters(), this.table.element);
    this.filter();
  }

  columns() {
    return [
      { title: "go", kind: "tick-box", value: (row) => (this.chosen.has(row) ? 0 : 1), draw: (row) => this.box(row) },
      { title: "memory", kind: "prose", value: (row) => `${row.text} ${row.id}`, draw: (row) => this.named(row.text, row.time ? `${row.id} · ${row.time.slice(0, 10)}` : row.id) },
      { title: "kept instead", kind: "prose keep", value: (row) => `${row.keepText} ${row.keepId}`, draw: (row) => (row.keepId ? this.named(row.keepText, row.keepId) : []) },
      { title: "what", kind: "what", value: (row) => row.what, draw: (row) => [row.what, make("span", { className: "id", textContent: row.reason })] },
      { title: "how sure", kind: "sure", value: (row) => row.sure },
      { title: "tokens", kind: "n", value: (row) => row.tokens, format: (row) => number(row.tokens) },
    ];
  }

  named(text, id) {
    return [text.trim() ? make("span", { dir: "auto", textContent: text }) : make("span", { className: "empty", textContent: "no text" }), make("span", { className: "id", textContent: id })];
  }

  box(row) {
    const box = make("input", { type: "checkbox", checked: this.chosen.has(row), ariaLabel: `let go: ${row.text || row.id}` });
    box.addEventListener("change", () => {
      if (box.checked) this.chosen.add(row); else this.chosen.delete(row);
      box.closest("tr").classList.toggle("on", box.checked);
      this.say();
    });
    return box;
  }

  bar() {
    const button = (name, act) => {
      const made = make("button", { type: "button", textContent: name });
      made.addEventListener("click", () => act(made));
      return made;
    };
    return make("div", { className: "chosen" }, this.said,
      button("Copy ids", (made) => this.copy(made)), button("Download CSV", () => this.download()));
  }

  filters() {
    const select = (name, label, values) => {
      const made = make("select", { ariaLabel: label }, make("option", { value: "", textContent: name }),
        ...values.map((value) => make("option", { value, textContent: `${value} (${number(this.rows.filter((row) => row.what === value || row.sure === value).length)})` })));
      made.addEventListener("change", () => this.filter());
      return made;
    };
    this.what = select("every kind", "kind", [...new Set(this.rows.map((row) => row.what))]);
    this.sure = select("sure and likely", "how sure", [...new Set(this.rows.map((row) => row.sure))]);
    const all = (name, on) => {
      const made = make("button", { type: "button", textContent: name });
      made.addEventListener("click", () => { this.table.matching().forEach((row) => (on ? this.chosen.add(row) : this.chosen.delete(row))); this.table.draw(); this.say(); });
      return made;
    };
    return make("div", { className: "filters" }, this.what, this.sure, all("Choose all found", true), all("Choose none of them", false));
  }

  filter() {
    this.table.start = 0;
    this.table.show(this.rows.filter((row) => (!this.what.value || row.what === this.what.value) && (!this.sure.value || row.sure === this.sure.value)));
    this.say();
  }

  say() {
    const tokens = [...this.chosen].reduce((sum, row) => sum + row.tokens, 0);
    const share = this.data.all ? tokens / this.data.all : 0;
    this.said.replaceChildren(make("b", { textContent: `${number(this.chosen.size)} of ${number(this.rows.length)} chosen` }),
      `: ${number(tokens)} tokens, ${percent(share)} of the store`);
  }

  picked() {
    return this.rows.filter((row) => this.chosen.has(row));
  }

  async copy(button) {
    const text = this.picked().map((row) => row.id).join("\n");
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy ids"; }, 1500);
  }

  csv() {
    // A leading = + - @ would be run by a spreadsheet: a quote before it keeps the text a text.
    const safe = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
    const field = (value) => `"${String(value).replaceAll('"', '""')}"`;
    const rows = this.picked().map((row) => [row.id, row.what, row.reason, row.sure, row.keepId, safe(row.text), row.tokens]);
    return [["id", "what", "reason", "confidence", "kept instead", "text", "tokens"], ...rows].map((row) => row.map(field).join(",")).join("\r\n");
  }

  download() {
    const url = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" }));
    const link = make("a", { href: url, download: "delete.csv" });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".store").forEach((section) => section.querySelector(".choice") && new Choice(section));
});
