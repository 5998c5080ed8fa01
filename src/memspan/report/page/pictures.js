// The pictures: which one is shown, which system stands out in it, what the pointer is near.

class Pictures {
  constructor(page) {
    this.page = page;
    this.mean = { pictures: [...page.find(".pictures").children], tokens: page.find(".tokens svg") };
    this.templates = new Map([...document.querySelectorAll("template.picture-of")].map((each) => [each.dataset.material, each]));
    document.querySelectorAll("figure").forEach((figure) => this.follow(figure));
  }

  // The picture of the material chosen; the mean where there is none.
  show() {
    const found = this.page.state.material < 0 ? null : this.templates.get(this.page.data.materials[this.page.state.material].id);
    if (!this.templates.size) return;
    const [pictures, tokens] = [this.page.find(".pictures"), this.page.find(".tokens")];
    const tip = tokens.querySelector(".tip");
    if (found) {
      const copy = found.content.cloneNode(true);
      tokens.replaceChildren(copy.querySelector(".paid svg"), tip);
      pictures.replaceChildren(copy.querySelector(".wide"), copy.querySelector(".narrow"));
    } else {
      tokens.replaceChildren(this.mean.tokens, tip);
      pictures.replaceChildren(...this.mean.pictures);
    }
  }

  // A system stands out in the pictures while it is pointed at; null brings back the one chosen.
  light(system) {
    const wanted = system ?? this.page.state.system;
    document.querySelectorAll("figure .chart").forEach((chart) => {
      chart.classList.toggle("dimmed", system !== null);
      chart.querySelectorAll(".system").forEach((each) => each.classList.toggle("on", Number(each.dataset.system) === wanted));
    });
  }

  // The nearest spot under the pointer tells what it is; pressing goes there.
  follow(figure) {
    const tip = figure.querySelector(".tip");
    let near = null;
    figure.addEventListener("pointermove", (event) => {
      const chart = event.target.closest("svg");
      near = chart && this.nearest(chart, event);
      tip.hidden = !near;
      if (!near) return;
      const box = chart.getBoundingClientRect();
      const scale = box.width / chart.viewBox.baseVal.width;
      tip.textContent = this.tell(near, figure.classList.contains("tokens"));
      tip.style.left = `${Math.min(Math.max(near.x * scale, 90), box.width - 90)}px`;
      tip.style.top = `${near.y * scale - 12}px`;
    });
    figure.addEventListener("pointerleave", () => { tip.hidden = true; near = null; });
    figure.addEventListener("click", () => { if (near) this.page.go({ system: near.system, place: near.place }); });
  }

  nearest(chart, event) {
    const box = chart.getBoundingClientRect();
    const scale = chart.viewBox.baseVal.width / box.width;
    const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let found = null;
    let least = 18;
    chart.querySelectorAll(".system").forEach((group) => group.dataset.spots.split(";").forEach((spot) => {
      const [x, y, place, at, value, top, water] = spot.split(" ");
      const away = Math.hypot(x - px, y - py) - (group.classList.contains("on") ? 3 : 0);
      if (away < least) {
        least = away;
        found = { x: Number(x), y: Number(y), place, at: Number(at), value: Number(value), top: Number(top), water: Number(water), system: Number(group.dataset.system) };
      }
    }));
    return found;
  }

  tell(spot, paid) {
    const { label } = this.page.data.systems[spot.system];
    if (paid) return `${label}: ${percent(spot.value)} read from ${number(Math.round(spot.at))} tokens`;
    const size = this.page.state.material < 0 ? `${percent(spot.at)} of the claims` : counted(Math.round(spot.at), "claims");
    const below = spot.top - spot.value > 0.0005 ? `, ${points(spot.top - spot.value)} below the best` : ", as good as the best";
    const water = spot.water - spot.value > 0.0005 ? `; ${percent(spot.water)} with false claims` : "";
    return `${label}, ${spot.place === "own" ? "own size, " : ""}${size}: ${percent(spot.value)}${below}${water}`;
  }
}
