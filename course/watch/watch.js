// The front end of a watched run: it draws run views, and sends back where to go in the run.
let runPanes = 0;

/**
 * A piece of a line: text; or text with whether it is code, the key of a picture, and the picture's name.
 * @typedef {string | [string, unknown?, string?, string?]} Bit
 */
/**
 * A call in the tree: its depth, key, text, result, and what a click on it does.
 * @typedef {{d: number, k?: string, b: Bit[], r?: Bit[], s?: string, here?: boolean, do?: unknown[]}} Row
 */
/** @typedef {{n: number, c: string[], b: Bit[], now?: boolean, off?: boolean}} CodeLine */
/** @typedef {{w: number, b: Bit[], now?: boolean}} PaperLine */
/**
 * @typedef {{title: string, at: number, last: number, way: string, said: Bit[], spoken: string, first_wrong?: string,
 *   rows?: Row[], code?: CodeLine[], rounds?: Bit[][], values?: Bit[][], names?: [string, Bit[], boolean][],
 *   paper?: PaperLine[], printed?: string, left: string[],
 *   sizes: Record<string, [number, number, number, number]>}} RunView
 */
/** @typedef {(action: unknown[]) => void} Send */

/**
 * @param {string} label
 * @param {string} about
 * @param {() => void} act
 * @param {Element} parent
 */
function addControl(label, about, act, parent) {
  const node = focusable(make("button", "", parent));
  node.type = "button";
  node.textContent = label;
  node.title = about;
  if (!/\w/.test(label)) node.setAttribute("aria-label", about); // words are a name already
  node.onclick = act;
  return node;
}

/**
 * Scroll a pane, and not the page, so that something in it is seen.
 * @param {Element | null} node
 * @param {Element} pane
 */
function reveal(node, pane) {
  if (!node || pane.scrollHeight <= pane.clientHeight) return;
  const [inner, outer] = [node.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    pane.scrollTop += inner.top - outer.top - pane.clientHeight / 3;
}

// Lines of text, code and small pictures. A picture is drawn once and used wherever it is shown.
class Writer {
  /**
   * @param {Element} root
   * @param {() => Record<string, string>} art
   */
  constructor(root, art) {
    this.art = art;
    /** @type {Record<string, [number, number, number, number]>} */
    this.sizes = {}; // the width, height, scale and angle of pictures by their kind
    this.uid = `foldem-run-${runPanes++}`;
    this.known = new Set();
    const hidden = draw("svg", "run-defs", root);
    hidden.setAttribute("aria-hidden", "true");
    this.defs = draw("defs", "", hidden);
  }

  /**
   * @param {Element} node
   * @param {Bit[]} [bits]
   */
  write(node, bits = []) {
    for (const bit of bits) {
      if (typeof bit === "string") node.append(bit);
      else if (bit[2]) node.append(this.picture(bit[2], bit[3], bit[0]));
      else make(bit[1] ? "code" : "span", "", node).textContent = bit[0];
    }
    return node;
  }

  /**
   * @param {string} key
   * @param {string} name
   * @param {string} text
   */
  picture(key, name, text) {
    const [width, height, scale, turn] = this.sizes[key.split(":")[0]];
    const svg = draw("svg", "run-picture");
    for (const [attribute, value] of Object.entries({ width, height, role: "img", "aria-label": name || text }))
      svg.setAttribute(attribute, value);
    svg.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
    draw("title", "", svg).textContent = text;
    const use = draw("use", "", svg);
    use.setAttribute("href", `#${this.drawing(key)}`);
    use.setAttribute("transform", `rotate(${turn}) scale(${scale})`);
    return svg;
  }

  /**
   * Return the id of a picture that is drawn out of sight.
   * @param {string} key
   */
  drawing(key) {
    const id = `${this.uid}-${key.replace(/\W/g, "_")}`;
    if (!this.known.has(key)) {
      this.known.add(key);
      const drawing = draw("g", "", this.defs);
      drawing.id = id;
      drawing.innerHTML = this.art()[key] ?? "";
    }
    return id;
  }
}

// The calls of a run, as a list within a list for each depth.
class CallTree {
  /**
   * @param {Element} parent
   * @param {Writer} writer
   * @param {Send} send
   */
  constructor(parent, writer, send) {
    this.writer = writer;
    this.send = send;
    this.node = make("div", "run-tree", parent);
    this.node.setAttribute("role", "region");
    this.node.setAttribute("aria-label", "Calls, with arguments and results");
  }

  /** @param {Row[]} rows */
  draw(rows = []) {
    this.node.replaceChildren();
    const lists = [make("ul", "", this.node)];
    /** @type {Element[]} */
    const items = [];
    for (const row of rows) {
      while (lists.length > row.d + 1) lists.pop();
      while (lists.length < row.d + 1) lists.push(make("ul", "", items[lists.length - 1] ?? lists.at(-1)));
      items[row.d] = this.drawRow(row, lists[row.d]);
      items.length = row.d + 1;
    }
  }

  /**
   * @param {Row} row
   * @param {Element} list
   */
  drawRow(row, list) {
    const item = make("li", `run-row ${row.s ?? ""} ${row.here ? "here" : ""}`, list);
    const line = make("div", "run-line", item);
    const go = this.addGo(row, line);
    if (row.here) go.setAttribute("aria-current", "step");
    this.writer.write(go, row.b);
    if (row.r) {
      go.append(" → ");
      this.writer.write(go, row.r);
    }
    return item;
  }

  /**
   * @param {Row} row
   * @param {Element} line
   */
  addGo(row, line) {
    const go = focusable(make("button", "run-go", line));
    go.type = "button";
    go.dataset.key = `go ${row.k ?? JSON.stringify(row.do)}`;
    go.tabIndex = row.here ? 0 : -1;
    go.onclick = () => this.send(row.do ?? ["call", row.k]);
    return go;
  }

  /** @param {number} by */
  stepFocus(by) {
    const open = [.../** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll("button.run-go"))];
    const at = open.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = open[Math.max(0, Math.min(open.length - 1, at + by))];
    if (!next) return;
    for (const node of open) node.tabIndex = node === next ? 0 : -1;
    next.focus();
  }
}

// The running function: its code, its values, and what was printed.
class Side {
  /**
   * @param {Element} parent
   * @param {Writer} writer
   */
  constructor(parent, writer) {
    this.writer = writer;
    this.node = make("div", "run-side", parent);
    this.node.setAttribute("role", "region");
    this.node.setAttribute("aria-label", "The running function");
    this.node.tabIndex = 0; // so that it can be scrolled by keys
  }

  /** @param {RunView} view */
  draw(view) {
    this.node.replaceChildren();
    if (view.code) this.drawCall(view);
    if (!view.printed) return;
    make("h4", "", this.node).textContent = "Printed so far";
    make("pre", "", this.node).textContent = view.printed;
  }

  /** @param {RunView} view */
  drawCall({ code, rounds, values, names }) {
    if (code.length) this.drawCode(code);
    this.drawList("The items so far", rounds);
    this.drawList("Values here", values);
    this.drawNames(names);
  }

  /**
   * List what each name means, and mark those that this step has changed.
   * @param {[string, Bit[], boolean][]} names
   */
  drawNames(names) {
    this.drawList("Names here", names.map(([name, bits]) => [[`${name} = `, "code"], ...bits]));
    const items = this.node.lastElementChild?.children ?? [];
    names.forEach(([, , isChanged], place) => isChanged && items[place].classList.add("changed"));
  }

  /** @param {CodeLine[]} lines */
  drawCode(lines) {
    const list = make("ol", "run-code", this.node);
    for (const line of lines) {
      const item = make("li", `${line.now ? "now" : ""} ${line.off ? "off" : ""}`, list);
      item.value = line.n;
      item.style.setProperty("--indent", `${(line.c[0].match(/^ */)?.[0].length ?? 0) + 4}ch`);
      this.drawText(make("code", "", item), line);
      if (line.now) item.setAttribute("aria-current", "step");
      if (line.b.length) this.writer.write(make("span", "run-note", item), line.b);
    }
  }

  /**
   * Write a highlighted line, with the part that runs marked.
   * @param {Element} text
   * @param {CodeLine} line
   */
  drawText(text, { c: [before, at, after] }) {
    text.innerHTML = before || (at ? "" : " ");
    if (at === undefined) return;
    make("mark", "", text).innerHTML = at;
    text.insertAdjacentHTML("beforeend", after);
  }

  /**
   * @param {string} title
   * @param {Bit[][]} [lines]
   */
  drawList(title, lines) {
    if (!lines?.length) return;
    make("h4", "", this.node).textContent = title;
    const list = make("ul", "", this.node);
    for (const line of lines) this.writer.write(make("li", "", list), line);
  }
}

// The expression, rewritten step by step as one would on paper.
class Paper {
  /**
   * @param {Element} parent
   * @param {Writer} writer
   */
  constructor(parent, writer) {
    this.writer = writer;
    this.node = make("ol", "run-paper", parent);
    this.node.setAttribute("aria-label", "On paper: the expression, step by step");
  }

  /** @param {PaperLine[]} lines */
  draw(lines = []) {
    this.node.replaceChildren();
    for (const line of lines) {
      const item = make("li", line.now ? "now" : "", this.node);
      const wait = make("span", "run-wait", item);
      wait.textContent = "▌".repeat(Math.min(line.w, 12));
      wait.title = `${line.w} waiting`;
      wait.setAttribute("aria-label", `${line.w} waiting: `);
      wait.setAttribute("role", "img");
      this.writer.write(make("span", "", item), line.b);
      if (line.now) item.setAttribute("aria-current", "step");
    }
  }
}

// Buttons and slider that lead through the run.
class RunBar {
  /**
   * @param {Element} root
   * @param {Send} send
   */
  constructor(root, send) {
    const bar = make("div", "run-bar", root);
    const add = (/** @type {string} */ label, /** @type {string} */ about, /** @type {unknown[]} */ action) =>
      addControl(label, about, () => send(action), bar);
    this.back = add("◀", "One step back (left arrow)", ["by", -1]);
    this.forward = add("▶", "One step forward (right arrow)", ["by", 1]);
    this.nextLine = add("Next line", "Go to the next line of this cell. A call of a function in another cell is a single step (page down)", ["line", 1]);
    this.slider = focusable(make("input", "", bar));
    Object.assign(this.slider, { type: "range", min: 0 });
    this.slider.setAttribute("aria-label", "Step of the run");
    this.slider.addEventListener("input", () => send(["go", Number(this.slider.value)]));
    this.count = make("span", "run-count", bar);
    this.calls = add("Calls", "Show the calls and the code", ["way", "calls"]);
    this.paper = add("On paper", "Show step by step how Python evaluates the expression", ["way", "paper"]);
  }

  /** @param {RunView} view */
  draw({ at, last, way }) {
    const { slider } = this;
    slider.max = last;
    if (document.activeElement !== slider || Number(slider.value) !== at) slider.value = at;
    this.count.textContent = `step ${at + 1} of ${last + 1}`;
    slider.setAttribute("aria-valuetext", this.count.textContent);
    this.back.setAttribute("aria-disabled", at === 0);
    for (const node of [this.forward, this.nextLine]) node.setAttribute("aria-disabled", at === last);
    this.calls.setAttribute("aria-pressed", way === "calls");
    this.paper.setAttribute("aria-pressed", way === "paper");
    this.nextLine.hidden = way === "paper";
  }
}

class RunPane {
  /**
   * @param {Element} parent
   * @param {Send} send
   * @param {() => Record<string, string>} art
   */
  constructor(parent, send, art) {
    this.send = send;
    /** @type {RunView | null} */
    this.view = null;
    const root = (this.root = focusable(make("div", "foldem-run", parent)));
    root.setAttribute("role", "group");
    this.writer = new Writer(root, art);
    this.bar = new RunBar(root, send);
    this.said = make("div", "run-said", root);
    this.spoken = make("div", "run-spoken", root);
    this.spoken.setAttribute("role", "status");
    this.spoken.setAttribute("aria-live", "polite");
    this.firstWrong = make("div", "run-first-wrong", root);
    this.panes = make("div", "run-panes", root);
    this.tree = new CallTree(this.panes, this.writer, send);
    this.side = new Side(this.panes, this.writer);
    this.paper = new Paper(root, this.writer);
    this.left = make("div", "run-left", root);
    root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event));
  }

  /** @param {RunView} view */
  draw(view) {
    const key = this.focusedKey();
    this.view = view;
    this.writer.sizes = view.sizes;
    this.root.setAttribute("aria-label", `A run: ${view.title}`);
    this.bar.draw(view);
    this.drawWords(view);
    this.panes.hidden = view.way !== "calls";
    this.paper.node.hidden = view.way === "calls";
    this.tree.draw(view.rows);
    this.side.draw(view);
    this.paper.draw(view.paper);
    if (key) this.focusOn(key);
    reveal(this.tree.node.querySelector(".here > .run-line"), this.tree.node);
    reveal(this.side.node.querySelector("li.now"), this.side.node);
    this.root.dataset.at = view.at; // last, so that whoever waits for it sees a run that is drawn
    this.root.dataset.drawn = Number(this.root.dataset.drawn ?? 0) + 1;
  }

  /** @param {RunView} view */
  drawWords({ said, spoken, first_wrong, left }) {
    this.said.replaceChildren();
    this.writer.write(this.said, said);
    if (this.spoken.textContent !== spoken) this.spoken.textContent = spoken;
    this.firstWrong.textContent = first_wrong ?? "";
    this.left.replaceChildren();
    for (const line of left) make("div", "", this.left).textContent = line;
  }

  /** Return the key of the part that has the focus, and is drawn anew. */
  focusedKey() {
    const node = /** @type {HTMLElement} */ (document.activeElement);
    return this.root.contains(node) ? node.dataset.key : undefined;
  }

  /** @param {string} key */
  focusOn(key) {
    const again = [...this.root.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key);
    const node = again ?? this.tree.node.querySelector(".here .run-go") ?? this.bar.forward;
    node.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    keepKeys(event);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps && this.tree.node.contains(event.target)) this.tree.stepFocus(steps);
    else {
      const action = this.actionOf(event);
      if (!action) return;
      this.send(action);
    }
    event.preventDefault();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {unknown[] | undefined}
   */
  actionOf({ key }) {
    const last = ["go", this.view?.last];
    const lines = { PageUp: ["line", -1], PageDown: ["line", 1] };
    return { ...lines, ArrowLeft: ["by", -1], ArrowRight: ["by", 1], Home: ["go", 0], End: last }[key];
  }
}

/**
 * Show a run in a parent; `send` takes actions, `art` returns the pictures by key. Return what draws a view.
 * @param {Element} parent
 * @param {Send} send
 * @param {() => Record<string, string>} art
 * @returns {(view: any) => void}
 */
function runPane(parent, send, art) {
  const pane = new RunPane(parent, send, art);
  return (view) => pane.draw(view);
}
