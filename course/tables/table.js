// The front end of every table: it draws view dicts, reuses nodes by key, and sends clicks back with their revision.
const PATIENCE = 2000; // milliseconds until a table says that it still waits for an answer
const NARROW = 700; // pixels of width below which the table is laid out for a narrow room
const LEAST_HEIGHT = 260; // pixels of height that a scene has in any case
const MOST_SPOKEN = 30; // lines that are kept for screen readers
const MARGIN = 96; // pixels of height that a notebook has around an output, with three lines of code above it
/** @type {Record<string, number>} */
const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const WITHOUT_TURN = ["go", "room", "watched"]; // actions that may be sent while another one is waited for
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A drawn thing: key, middle, rotation, scale, art or text, class, label, action, pressed or not, where it comes from.
 * @typedef {{k: string, x: number, y: number, r?: number, z?: number, a?: string, t?: string, c?: string, l?: string,
 *   do?: unknown[], on?: boolean, f?: [number, number]}} Item
 */
/** @typedef {Record<string, [number, number]>} Sizes the width and height of pictures by their kind */
/** @typedef {{l: string, do: unknown[], c?: string, act?: () => void}} Button */
/** @typedef {{text: string, code?: string, bad?: boolean, copy?: boolean}} Note */
/**
 * @typedef {{rev: number, w: number, h: number, title: string, status: string, room: string, items: Item[],
 *   bar: Button[], sizes: Sizes, note: Note | null, time: {at: number, last: number}, log?: string[], rules?: string, why?: boolean, share?: boolean, run?: object,
 *   begins?: boolean, wait?: number, past?: boolean, spoken: string}} View
 */

/** @param {{x: number, y: number, r?: number, z?: number}} item */
function place({ x, y, r = 0, z = 1 }) {
  return `translate(${x}px,${y}px) rotate(${r}deg) scale(${z})`;
}

/**
 * Return the outermost box that scrolls a node, null if only the window does. Inner ones are as high as their content.
 * @param {Element} node
 * @returns {Element | null}
 */
function paneOf(node) {
  const parent = node.parentElement;
  if (!parent || parent === document.body) return null;
  return paneOf(parent) ?? (/auto|scroll/.test(window.getComputedStyle(parent).overflowY) ? parent : null);
}

/**
 * Remove the nodes whose key is not wanted any more.
 * @param {Map<string, Element>} nodes
 * @param {Set<string>} wanted
 */
function keepOnly(nodes, wanted) {
  for (const [key, node] of nodes) {
    if (wanted.has(key)) continue;
    node.remove();
    nodes.delete(key);
  }
}

/**
 * Set a node's text if it is another one: a live region speaks each change.
 * @param {Element} node
 * @param {string} text
 */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Set a node's text, with the parts between backquotes as code, if it is another one.
 * @param {HTMLElement} node
 * @param {string} text
 */
function setProse(node, text) {
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  node.replaceChildren();
  for (const [index, part] of text.split(/`([^`]+)`/).entries())
    if (index % 2) make("code", "foldem-code", node).textContent = part;
    else node.append(part);
}

/**
 * Add a button that is no move of the game.
 * @param {Element} parent
 * @param {string} name
 * @param {string} text
 * @param {(button: HTMLButtonElement) => void} act
 */
function addButton(parent, name, text, act) {
  const button = focusable(make("button", name, parent));
  button.type = "button";
  button.textContent = text;
  button.onclick = () => act(button);
  return button;
}

/**
 * Copy a text, or select it where a page may not copy.
 * @param {Element} node
 * @param {HTMLButtonElement} button
 */
function copy(node, button) {
  window.getSelection().selectAllChildren(node);
  const copied = () => (button.textContent = "Copied");
  window.navigator.clipboard?.writeText(node.textContent).then(copied, () => {});
}

// The picture: cards and tiles, what of them can be clicked, and which of these has the focus.
class Scene {
  /**
   * @param {HTMLElement} root
   * @param {(key: string) => string} art
   * @param {(action: unknown[]) => void} send
   */
  constructor(root, art, send) {
    this.art = art;
    this.send = send;
    this.nodes = new Map();
    /** @type {Sizes} */
    this.sizes = {};
    /** @type {any} */
    this.current = null; // the choice that the Tab key leads to
    this.svg = draw("svg", "foldem-scene", root);
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("tabindex", "-1"); // where the focus waits while there is nothing to choose
    this.under = draw("g", "", this.svg); // the items follow it
    this.svg.addEventListener("click", (/** @type {MouseEvent} */ event) => this.act(event.target));
    this.svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event));
  }

  /** @param {View} view */
  draw({ w, h, title, items, past, sizes }) {
    this.sizes = sizes;
    this.svg.classList.toggle("past", Boolean(past));
    setAttribute(this.svg, "viewBox", `0 0 ${w} ${h}`);
    setAttribute(this.svg, "aria-label", title);
    keepOnly(this.nodes, new Set(items.map((item) => item.k)));
    let before = this.under;
    for (const item of items) {
      const node = this.drawItem(item);
      if (before.nextSibling !== node) before.after(node);
      before = node;
    }
  }

  /** @param {Item} item */
  drawItem(item) {
    const node = this.nodes.get(item.k) ?? this.newItem(item);
    this.fill(node, item);
    this.drawHit(node, item);
    node.item = item;
    node.style.opacity = 1;
    const isPicture = item.a && item.l && !item.do;
    setAttribute(node, "class", `item ${item.c ?? ""} ${item.do ? "can" : ""} ${item.a ? "art" : "said"}`);
    setAttribute(node, "role", isPicture ? "img" : item.a && !item.do ? "presentation" : undefined);
    setAttribute(node, "aria-label", isPicture ? item.l : undefined);
    setAttribute(node.firstChild, "aria-hidden", item.a ? "true" : undefined);
    node.style.transform = place(item);
    return node;
  }

  /** @param {Item} item */
  newItem(item) {
    const node = draw("g");
    draw("g", "", node);
    node.dataset.k = item.k;
    if (item.f && !still.matches) {
      node.style.transform = place({ ...item, x: item.f[0], y: item.f[1] });
      node.style.opacity = "0";
      node.getBoundingClientRect();
    }
    this.nodes.set(item.k, node);
    return node;
  }

  /**
   * @param {any} node
   * @param {Item} item
   */
  fill(node, item) {
    const inside = node.firstChild;
    const content = item.a ?? item.t;
    if (node.content === content) return;
    node.content = content;
    if (item.a) inside.innerHTML = this.art(item.a);
    else {
      inside.innerHTML = '<text y="5"></text>';
      inside.firstChild.textContent = item.t;
    }
  }

  /**
   * Draw a clear box over what can be clicked: its name is a sentence, and not what is drawn on a card.
   * @param {any} node
   * @param {Item} item
   */
  drawHit(node, item) {
    if (!item.do) return node.children[1]?.remove();
    const hit = node.children[1] ?? focusable(draw("rect", "hit", node));
    const [width, height] = this.sizes[item.a.split(":")[0]];
    const box = { x: -width / 2, y: -height / 2, width, height, rx: 8, role: "button", tabindex: -1 };
    for (const [name, value] of Object.entries({ ...box, "aria-label": item.l, "aria-pressed": item.on }))
      setAttribute(hit, name, value);
  }

  choices() {
    return /** @type {any[]} */ ([...this.svg.querySelectorAll(".can > .hit")]);
  }

  /** @param {any} node */
  makeCurrent(node) {
    this.current?.setAttribute("tabindex", "-1");
    this.current = node;
    this.current.setAttribute("tabindex", "0");
  }

  /** Let the Tab key lead to a choice that is still there. */
  updateCurrent() {
    const open = this.choices();
    if (!open.includes(this.current)) this.current = open[0] ?? null;
    this.current?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key in MOVES) this.step(MOVES[event.key]);
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (!event.repeat) this.act(event.target);
    event.preventDefault();
  }

  /** @param {number} by */
  step(by) {
    const open = this.choices();
    if (!open.length) return;
    const here = open.indexOf(document.activeElement);
    this.makeCurrent(open[here < 0 ? 0 : (here + by + open.length) % open.length]);
    this.current.focus({ preventScroll: true });
  }

  /** @param {any} target */
  act(target) {
    const hit = target.closest?.(".hit");
    if (!hit) return;
    this.makeCurrent(hit);
    this.send(hit.parentNode.item.do);
  }
}

// The buttons below the picture, reused by what they do.
class ButtonBar {
  /**
   * @param {HTMLElement} root
   * @param {(action: unknown[]) => void} send
   */
  constructor(root, send) {
    this.send = send;
    this.bar = make("div", "foldem-bar", root);
    this.buttons = new Map();
  }

  /** @param {Button[]} wanted */
  draw(wanted) {
    const keys = wanted.map((button) => JSON.stringify(button.do));
    keepOnly(this.buttons, new Set(keys));
    for (const [index, button] of wanted.entries()) {
      const node = this.buttons.get(keys[index]) ?? focusable(make("button", "", this.bar));
      this.buttons.set(keys[index], node);
      node.type = "button";
      node.className = button.c ?? "";
      setText(node, button.l);
      node.onclick = button.act ?? (() => this.send(button.do));
      if (this.bar.children[index] !== node) this.bar.insertBefore(node, this.bar.children[index]);
    }
  }
}

// The slider through the game so far.
class TimeLine {
  /**
   * @param {HTMLElement} root
   * @param {(action: unknown[]) => void} send
   */
  constructor(root, send) {
    this.line = make("div", "foldem-time", root);
    this.slider = focusable(make("input", "", this.line));
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.setAttribute("aria-label", "Time: the game so far");
    this.slider.addEventListener("input", () => send(["go", Number(this.slider.value)]));
    this.moment = make("span", "", this.line);
  }

  /** @param {View} view */
  draw({ time: { at, last }, status }) {
    this.line.hidden = last < 1;
    this.slider.max = last;
    if (document.activeElement !== this.slider || Number(this.slider.value) !== at) this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `move ${at} of ${last}: ${status}`);
    this.moment.textContent = `move ${at} of ${last}`;
  }
}

class GameTable {
  /** @param {{model: any, el: HTMLElement}} widget */
  constructor({ model, el }) {
    this.model = model;
    /** @type {View | null} */
    this.view = null;
    this.asked = -1; // the revision for which an action was sent
    this.isSlow = false;
    this.room = "";
    const send = this.send.bind(this);
    const root = (this.root = make("div", "foldem foldem-live", el));
    focusable(root);
    this.scene = new Scene(root, (key) => model.get("art")[key] ?? "", send);
    this.status = make("div", "foldem-status", root);
    this.spoken = make("div", "foldem-spoken", root);
    this.spoken.setAttribute("role", "log");
    this.note = make("div", "foldem-note", root);
    this.controls = make("div", "foldem-controls", root);
    this.bar = new ButtonBar(this.controls, send);
    this.addAsides();
    this.timeLine = new TimeLine(this.controls, send);
    this.addLog();
    root.addEventListener("keydown", keepKeys);
  }

  addAsides() {
    const bar = make("div", "foldem-bar", this.controls);
    this.why = addButton(bar, "foldem-why", "Why this move? Step through it", () => this.send(["why"]));
    this.share = addButton(bar, "foldem-share", "Share", () => this.send(["share"]));
    /** @type {HTMLElement | null} */
    this.run = null; // where the move that led here is shown, step by step
    /** @type {((view: object) => void) | null} */
    this.drawRun = null;
  }

  addLog() {
    this.log = make("details", "foldem-log", this.root);
    focusable(make("summary", "", this.log)).textContent = "Last moves, the newest first";
    this.lines = make("ul", "", this.log);
    this.log.open = true;
    this.rules = make("details", "foldem-log", this.root);
    focusable(make("summary", "", this.rules)).textContent = "Rules";
    this.aim = make("p", "", this.rules);
  }

  /** Draw at each change of the model, until what is returned is called. */
  connect() {
    const drawAll = () => this.draw();
    const drawSlow = () => this.isSlow && this.drawSlow();
    const measure = new ResizeObserver(() => this.measure(this.root.clientWidth));
    const fit = () => this.fitHeight();
    this.model.on("change:scene", drawAll);
    this.model.on("change:calling", drawSlow);
    this.draw();
    measure.observe(this.root);
    window.addEventListener("resize", fit);
    return () => {
      clearTimeout(this.timer);
      clearTimeout(this.slow);
      measure.disconnect();
      window.removeEventListener("resize", fit);
      this.model.off("change:scene", drawAll);
      this.model.off("change:calling", drawSlow);
    };
  }

  /** @param {unknown[]} action */
  send(action) {
    const always = WITHOUT_TURN.includes(String(action[0]));
    if (!always && this.asked === this.view.rev) return;
    if (!always) {
      this.asked = this.view.rev;
      this.root.dataset.asked = String(this.asked);
    }
    this.model.send({ rev: this.view.rev, do: action });
    this.waitForAnswer();
  }

  waitForAnswer() {
    clearTimeout(this.slow);
    this.slow = setTimeout(() => this.drawSlow(), PATIENCE);
  }

  /** @param {number} width */
  measure(width) {
    this.fitHeight();
    const now = width < NARROW ? "narrow" : "wide";
    if (!width || now === this.room) return;
    this.room = now;
    if (now !== (this.view?.room ?? "wide")) this.send(["room", now]);
  }

  /** Let the scene take the height that status and controls leave in sight. */
  fitHeight() {
    const room = paneOf(this.root)?.clientHeight ?? window.innerHeight; // the root may have moved since the last time
    const below = this.controls.getBoundingClientRect().bottom - this.scene.svg.getBoundingClientRect().bottom;
    this.scene.svg.style.maxHeight = `${Math.max(LEAST_HEIGHT, room - below - MARGIN)}px`;
  }

  draw() {
    const view = (this.view = this.model.get("scene"));
    if (!view.items) return;
    const had = this.focused();
    clearTimeout(this.slow);
    this.isSlow = false;
    this.scene.draw(view);
    setProse(this.status, view.status);
    this.speak(view.spoken);
    this.drawNote(view.note);
    this.bar.draw(view.bar);
    this.timeLine.draw(view);
    this.drawWhy(view);
    this.drawLog(view.log ?? []);
    this.rules.hidden = !view.rules;
    setText(this.aim, view.rules ?? "");
    this.fitHeight();
    this.keepFocus(had);
    clearTimeout(this.timer);
    if (view.begins) this.send(["new"]); // a table in a box of widgets, which nothing else starts
    if (view.wait !== undefined) this.timer = setTimeout(() => this.send(["tick"]), view.wait);
    this.root.dataset.room = view.room;
    this.root.dataset.revision = view.rev; // last, so that whoever waits for it sees a table that is drawn
  }

  /**
   * Add a line for screen readers, which read each line of a log that is new.
   * @param {string} line
   */
  speak(line) {
    if (!line || line === this.spoken.lastChild?.textContent) return;
    make("div", "", this.spoken).textContent = line;
    if (this.spoken.children.length > MOST_SPOKEN) this.spoken.firstChild.remove();
  }

  /** @param {string} text */
  say(text) {
    setProse(this.status, text);
    this.speak(text);
  }

  focused() {
    const node = /** @type {any} */ (document.activeElement);
    return this.scene.svg.contains(node) || this.bar.bar.contains(node) ? node : null;
  }

  /**
   * Put the focus where the next move is made; while there is none it waits at the scene, where no key does anything.
   * @param {any} had
   */
  keepFocus(had) {
    const { scene, bar } = this;
    scene.updateCurrent();
    if (!had) return;
    const open = scene.choices();
    const stays = open.includes(had) || bar.bar.contains(had);
    const next = stays ? had : (scene.current ?? bar.bar.querySelector(".strong") ?? scene.svg);
    if (open.includes(next)) scene.makeCurrent(next);
    if (document.activeElement !== next) next.focus({ preventScroll: true });
  }

  /** @param {Note | null} note */
  drawNote(note) {
    this.note.hidden = !note;
    this.note.replaceChildren();
    if (!note) return;
    this.note.className = `foldem-note ${note.bad ? "bad" : ""}`;
    setAttribute(this.note, "role", note.bad ? "alert" : "note");
    setProse(make("span", "", this.note), note.text);
    if (note.code) {
      this.note.append("\n");
      const code = make("code", note.copy ? "foldem-link" : "", this.note);
      code.textContent = note.code;
      if (note.copy) addButton(this.note, "foldem-copy", "Copy the link", (button) => copy(code, button));
    }
  }

  /** @param {View} view */
  drawWhy(view) {
    this.why.hidden = !view.why;
    this.share.hidden = !view.share;
    this.why.setAttribute("aria-expanded", Boolean(view.run));
    if (!view.run) {
      this.run?.remove();
      this.run = this.drawRun = null;
      return;
    }
    const isNew = !this.drawRun;
    if (isNew) {
      this.run = make("div", "", this.root);
      this.log.before(this.run);
      const send = (/** @type {unknown[]} */ action) => this.send(["watched", ...action]);
      this.drawRun = runPane(this.run, send, () => this.model.get("art"));
    }
    this.drawRun(view.run);
    if (isNew) this.run.scrollIntoView({ block: "nearest" });
  }

  /** @param {string[]} lines */
  drawLog(lines) {
    this.log.hidden = lines.length === 0;
    while (this.lines.children.length > lines.length) this.lines.lastChild.remove();
    for (const [index, line] of lines.entries()) setText(this.lines.children[index] ?? make("li", "", this.lines), line);
  }

  /** Say that the kernel has not answered, and why. */
  drawSlow() {
    const { rev = -1, call = "" } = this.model.get("calling");
    const had = this.focused();
    this.isSlow = true;
    if (rev <= this.view.rev) {
      this.say("Another cell is still running. You can continue here when that cell has ended.");
      return;
    }
    this.say("Your function is still running.");
    this.drawNote({ text: "This call has not returned yet. Wait, or stop the call and look at your function:", code: call });
    this.bar.draw([{ l: "Stop it", do: ["stop"], act: () => this.stop() }]);
    this.keepFocus(had);
  }

  stop() {
    const kernel = this.model.widget_manager?.kernel;
    const fail = () => this.say("To stop your function, interrupt the kernel (■).");
    new Promise((done) => done(kernel.interrupt())).catch(fail);
  }
}

/** @param {{model: any, el: HTMLElement}} widget */
function render(widget) {
  return new GameTable(widget).connect();
}

export default { render };
