// The page of a replay: the table asks for a moment of a recorded set, and gets its view without a server.
class RecordedSet {
  /** @param {any} game the recorded views, as course/tables/game.py packs them, with their pictures */
  constructor(game) {
    this.game = game;
    this.at = 0;
    this.room = "wide";
    this.rev = 0;
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  /** @param {string} name */
  get(name) {
    return name === "scene" ? this.view() : name === "art" ? this.game.art : {};
  }

  /**
   * @param {string} event
   * @param {() => void} listener
   */
  on(event, listener) {
    if (event === "change:scene") this.listeners.push(listener);
  }

  off() {}

  /** @param {{do: any[]}} click */
  send({ do: [what, to] }) {
    if (what === "go") this.at = Math.max(0, Math.min(to, this.moments().length - 1));
    if (what === "room") this.room = to;
    this.rev += 1;
    setTimeout(() => this.listeners.forEach((listener) => listener()));
  }

  moments() {
    return this.game.views[this.room];
  }

  view() {
    const moments = this.moments();
    const { items, ...shown } = moments[this.at];
    const log = moments.slice(Math.max(0, this.at - 9), this.at + 1).map((/** @type {any} */ each) => each.status);
    const { title, sizes, rooms } = this.game;
    const own = { title, sizes, w: rooms[this.room], room: this.room, rev: this.rev, note: null, spoken: shown.status };
    const drawn = items.map((/** @type {number} */ index) => this.game.items[index]);
    return { ...shown, ...own, items: drawn, bar: this.bar(), log: log.reverse(), time: { at: this.at, last: moments.length - 1 } };
  }

  bar() {
    const last = this.moments().length - 1;
    const next = { l: "Next", do: ["go", this.at + 1], c: "strong" };
    const far = this.at < last ? { l: "To the end", do: ["go", last] } : { l: "From the start", do: ["go", 0] };
    const back = { l: "Back", do: ["go", this.at - 1] };
    return [...(this.at < last ? [next] : []), ...(this.at ? [back] : []), far];
  }
}

const recorded = new RecordedSet(JSON.parse(document.getElementById("game").textContent));
new GameTable({ model: recorded, el: document.getElementById("table") }).connect();
