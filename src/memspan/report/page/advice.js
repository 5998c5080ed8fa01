// What to add to a memory and what to drop: the same rule as memspan.diagnosis.advice, for any point of the page.

class Ground {
  static mostAdded = 20;
  static mostParts = 6;
  static mostTried = 3000;

  constructor(material) {
    this.ways = material.ways.map(([query, claims, unless = []]) => ({ query, claims, unless }));
    this.weights = material.queries.weight;
    this.counted = material.queries.counted || 1;
    this.whole = this.weights.reduce((sum, weight) => sum + weight, 0) || 1;
    this.false = new Set(material.claims.false);
    this.byQuery = this.weights.map(() => []);
    this.ways.forEach((way) => this.byQuery[way.query].push(way));
  }

  holds(way, held) {
    return way.claims.every((claim) => held.has(claim)) && !way.unless.some((claim) => held.has(claim));
  }

  isTrue(way) {
    return !way.claims.some((claim) => this.false.has(claim));
  }

  // The queries that a memory covers by true claims alone.
  covered(held) {
    return new Set(this.ways.filter((way) => this.isTrue(way) && this.holds(way, held)).map((way) => way.query));
  }

  weigh(queries) {
    return [...queries].reduce((sum, query) => sum + this.weights[query], 0);
  }

  // Claims that complete supports, those first that gain most for each claim.
  additions(given) {
    const held = new Set(given);
    const found = [];
    while (found.length < Ground.mostAdded) {
      const best = this.best(this.completions(held));
      if (!best) break;
      best.missing.forEach((claim) => held.add(claim));
      found.push({ claims: best.missing, gain: best.weight / this.counted, queries: [...best.queries].sort((a, b) => a - b) });
    }
    return found;
  }

  completions(held) {
    const answered = this.covered(held);
    const alone = new Map();
    for (const way of this.ways) {
      const open = !answered.has(way.query) && this.weights[way.query] && this.isTrue(way);
      if (!open || way.unless.some((claim) => held.has(claim))) continue;
      const missing = way.claims.filter((claim) => !held.has(claim));
      if (!alone.has(String(missing))) alone.set(String(missing), { missing, queries: new Set() });
      alone.get(String(missing)).queries.add(way.query);
    }
    return [...alone.values()].map(({ missing, queries }) => {
      const all = new Set(queries); // what a part completes, the whole completes too
      if (missing.length <= Ground.mostParts) {
        for (let bits = 1; bits < 2 ** missing.length - 1; bits += 1) {
          const part = alone.get(String(missing.filter((_, i) => (bits >> i) & 1)));
          if (part) part.queries.forEach((query) => all.add(query));
        }
      }
      return { missing, queries: all, weight: this.weigh(all) };
    });
  }

  best(options) {
    const before = (a, b) => { // the lower positions first, as Python compares lists
      for (let i = 0; i < Math.min(a.length, b.length); i += 1) if (a[i] !== b[i]) return a[i] < b[i];
      return a.length > b.length;
    };
    const worth = ({ weight, missing }) => weight / missing.length;
    return options.reduce((best, each) => (!best || worth(each) > worth(best)
      || (worth(each) === worth(best) && before(each.missing, best.missing)) ? each : best), null);
  }

  // Claims that can go, one after the other, without loss.
  drops(given) {
    const held = new Set([...given].sort((a, b) => a - b));
    const used = new Set(this.ways.flatMap((way) => way.claims));
    const found = [];
    const drop = (claim, reason) => { held.delete(claim); found.push({ claim, reason }); };
    [...held].filter((claim) => !used.has(claim)).forEach((claim) => drop(claim, this.false.has(claim) ? "false" : "unused"));
    [...held].filter((claim) => this.false.has(claim)).forEach((claim) => drop(claim, "false"));
    const before = this.weigh(this.covered(held));
    for (const claim of this.byUse(held).slice(0, Ground.mostTried)) {
      held.delete(claim);
      if (this.weigh(this.covered(held)) < before) held.add(claim);
      else found.push({ claim, reason: "redundant" });
    }
    return found;
  }

  byUse(held) {
    const uses = new Map();
    this.ways.filter((way) => this.holds(way, held)).forEach((way) => way.claims.forEach((claim) => {
      uses.set(claim, (uses.get(claim) || 0) + 1);
    }));
    return [...held].sort((a, b) => (uses.get(a) || 0) - (uses.get(b) || 0) || a - b);
  }

  // The way to answer a query that lacks least; null where there is none.
  nearest(query, held) {
    const lacks = (way) => way.claims.filter((claim) => !held.has(claim)).length;
    return this.byQuery[query].reduce((best, way) => (!best || lacks(way) < lacks(best) ? way : best), null);
  }
}
