// --- the address holds material, capacity and table -------------------------------------------------

let waiting;

function remember(explorer) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const state = new URLSearchParams({ material: explorer.article.dataset.name,
      capacity: explorer.walk.capacity[explorer.walk.at], table: explorer.tab });
    history.replaceState(null, "", `#${state}`);
  }, 150);
}

document.addEventListener("DOMContentLoaded", () => {
  const articles = [...document.querySelectorAll("article.material")];
  const explorers = new Map();
  document.querySelectorAll(".summary tbody tr").forEach((row, i) => articles[i] && row.setAttribute("data-go", i));
  const links = [...document.querySelectorAll("[data-go]")];

  function show(article, state = new URLSearchParams()) {
    articles.forEach((each) => each.classList.toggle("shown", each === article));
    links.forEach((link) => (Number(link.dataset.go) === articles.indexOf(article)
      ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
    if (!article.querySelector(".data")) return null; // nothing to cover, nothing to explore
    if (!explorers.has(article)) explorers.set(article, new Explorer(article));
    const explorer = explorers.get(article);
    if (state.get("table") in explorer.tables) explorer.tab = state.get("table");
    const wanted = state.has("capacity") ? Number(state.get("capacity")) : null;
    explorer.walk.go(wanted === null ? explorer.walk.at || explorer.halfway() : explorer.walk.stop(wanted));
    explorer.draw();
    return explorer;
  }

  links.forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    const article = articles[link.dataset.go];
    const explorer = show(article);
    if (explorer) remember(explorer);
    article.scrollIntoView({ behavior: "smooth" });
  }));

  function arrive() {
    const state = new URLSearchParams(location.hash.slice(1));
    const article = articles.find((each) => each.dataset.name === state.get("material"))
      || articles.find((each) => `#${each.id}` === location.hash) || articles[0];
    if (article) show(article, state);
  }
  window.addEventListener("hashchange", arrive);
  window.addEventListener("resize", () => explorers.forEach((explorer) => explorer.drawCursor()));
  const unfold = (open) => document.querySelectorAll(".method").forEach((each) => { each.open = open; });
  window.addEventListener("beforeprint", () => unfold(true));
  window.addEventListener("afterprint", () => unfold(false));
  unfold(false);
  arrive();
});
