// The memory at each stop, rebuilt from the changes between stops.
class Walk {
  constructor(trail) {
    Object.assign(this, trail);
    this.upper ??= this.lower;
    this.at = 0;
    this.held = new Set(this.steps[0][0]);
    this.answered = new Set(this.steps[0][2]);
  }

  go(to) {
    while (this.at < to) this.turn(this.steps[++this.at], false);
    while (this.at > to) this.turn(this.steps[this.at--], true);
  }

  turn([enter, leave, gain, lose], back) {
    const [into, out, more, less] = back ? [leave, enter, lose, gain] : [enter, leave, gain, lose];
    into.forEach((claim) => this.held.add(claim));
    out.forEach((claim) => this.held.delete(claim));
    more.forEach((query) => this.answered.add(query));
    less.forEach((query) => this.answered.delete(query));
  }

  // The last stop whose capacity is not above the one wanted.
  stop(capacity) {
    let found = 0;
    while (found + 1 < this.capacity.length && this.capacity[found + 1] <= capacity) found += 1;
    return found;
  }
}
