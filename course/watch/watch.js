// The front end of a watched run: it draws run views, and sends back where to go in the run.
const RUN_SIZES = { tile: [34, 17, 0.42, -90], card: [26, 38, 0.36, 0], uno: [26, 38, 0.36, 0] };
let runPanes = 0;

// Show a run in a parent; `send` takes actions, `art` gives the pictures by key. Gives what draws a view.
function runPane(parent, send, art) {
  const uid = `foldem-run-${runPanes++}`;
  const root = make("div", "foldem-run", parent);
  root.dataset.lmSuppressShortcuts = "true";
  root.setAttribute("role", "group");
  const defs = draw("defs", "", draw("svg", "", root));
  defs.parentNode.setAttribute("class", "run-defs");
  defs.parentNode.setAttribute("aria-hidden", "true");
  const known = new Set();

  const bar = make("div", "run-bar", root);
  const control = (label, about, action, where = bar) => {
    const node = focusable(make("button", "", where));
    node.type = "button";
    node.textContent = label;
    node.title = about;
    if (!/\w/.test(label)) node.setAttribute("aria-label", about); // words are a name already
    node.onclick = () => send(action);
    return node;
  };
  const back = control("◀", "One step back (left arrow)", ["by", -1]);
  const forward = control("▶", "One step forward (right arrow)", ["by", 1]);
  const backOver = control("◀◀", "Back over a call (shift and left arrow)", ["over", -1]);
  const over = control("▶▶", "Over a call (shift and right arrow)", ["over", 1]);
  const slider = focusable(make("input", "", bar));
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", "Step of the run");
  const count = make("span", "run-count", bar);
  const calls = control("Calls", "Show the calls and the code", ["way", "calls"]);
  const paper = control("On paper", "Show the expression rewritten step by step", ["way", "paper"]);

  const said = make("div", "run-said", root);
  const spoken = make("div", "run-spoken", root);
  spoken.setAttribute("role", "status");
  spoken.setAttribute("aria-live", "polite");
  const told = make("div", "run-told", root);
  const panes = make("div", "run-panes", root);
  const tree = make("div", "run-tree", panes);
  tree.setAttribute("role", "region");
  tree.setAttribute("aria-label", "Calls, each with what it was given and what it gave");
  const side = make("div", "run-side", panes);
  side.setAttribute("role", "region");
  side.setAttribute("aria-label", "The function at work");
  side.tabIndex = 0; // so that it can be scrolled by keys
  const sheet = make("ol", "run-paper", root);
  sheet.setAttribute("aria-label", "On paper: the expression, step by step");
  const left = make("div", "run-left", root);

  const search = make("form", "run-find", root);
  const input = focusable(make("input", "", search));
  input.type = "text";
  input.placeholder = "a value, such as Domino(3, 3)";
  input.setAttribute("aria-label", "Find a value");
  focusable(make("button", "", search)).textContent = "Find it";
  const previous = control("◂", "Where it was before", ["seek", -1], search);
  const next = control("▸", "Where it is next", ["seek", 1], search);
  const found = make("span", "run-found", search);
  found.setAttribute("role", "status");
  const part = control("Compare with the run before", "Go to where this run and the one before it part", ["part"], search);
  const parted = make("div", "run-parted", root);
  parted.setAttribute("role", "status");

  // ------------------------------------------------------------------------------------------ bits

  function picture(key, name, text) {
    const id = `${uid}-${key.replace(/\W/g, "_")}`;
    if (!known.has(key)) {
      known.add(key);
      const drawing = draw("g", "", defs);
      drawing.id = id;
      drawing.innerHTML = art()[key] ?? "";
    }
    const [width, height, scale, turn] = RUN_SIZES[key.split(":")[0]] ?? [20, 20, 0.4, 0];
    const svg = draw("svg", "run-picture");
    for (const [attribute, value] of Object.entries({ width, height, role: "img", "aria-label": name || text }))
      svg.setAttribute(attribute, value);
    svg.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
    draw("title", "", svg).textContent = text;
    const use = draw("use", "", svg);
    use.setAttribute("href", `#${id}`);
    use.setAttribute("transform", `rotate(${turn}) scale(${scale})`);
    return svg;
  }

  function write(node, bits) {
    for (const bit of bits ?? []) {
      if (typeof bit === "string") node.append(bit);
      else if (bit[2]) node.append(picture(bit[2], bit[3], bit[0]));
      else make(bit[1] ? "code" : "span", "", node).textContent = bit[0];
    }
    return node;
  }

  // ------------------------------------------------------------------------------------------ calls

  function drawRow(row, list) {
    const item = make("li", `run-row ${row.s ?? ""} ${row.here ? "here" : ""}`, list);
    const line = make("div", "run-line", item);
    if (row.o !== undefined) {
      const fold = focusable(make("button", "run-fold", line));
      fold.type = "button";
      fold.textContent = row.o ? "▾" : "▸";
      fold.dataset.key = `fold ${row.k}`;
      fold.tabIndex = -1;
      fold.setAttribute("aria-label", "its calls");
      fold.setAttribute("aria-expanded", row.o);
      fold.onclick = () => send(["turn", row.k]);
    }
    const can = row.do || row.k !== undefined;
    const go = can ? focusable(make("button", "run-go", line)) : make("span", "", line);
    if (can) {
      go.type = "button";
      go.dataset.key = `go ${row.k ?? JSON.stringify(row.do)}`;
      go.tabIndex = row.here ? 0 : -1;
      go.onclick = () => send(row.do ?? ["call", row.k]);
    }
    if (row.here) go.setAttribute("aria-current", "step");
    write(go, row.b);
    if (row.r) {
      go.append(" → ");
      write(go, row.r);
    }
    if (row.m) make("span", `run-mark ${row.m.split(" ")[0]}`, go).textContent = row.m;
    return item;
  }

  // The rows come one after the other with their depths: they are put into lists within lists.
  function drawTree(rows) {
    const lists = [make("ul", "", tree)];
    const items = [];
    for (const row of rows) {
      while (lists.length > row.d + 1) lists.pop();
      while (lists.length < row.d + 1) lists.push(make("ul", "", items[lists.length - 1] ?? lists.at(-1)));
      items[row.d] = drawRow(row, lists[row.d]);
      items.length = row.d + 1;
    }
  }

  // ------------------------------------------------------------------------------------------ code

  function drawCode(lines) {
    const list = make("ol", "run-code", side);
    for (const line of lines) {
      const item = make("li", `${line.now ? "now" : ""} ${line.off ? "off" : ""}`, list);
      item.value = line.n;
      const text = make("code", "", item);
      const [from, to] = line.now ?? [0, 0];
      const bytes = new TextEncoder().encode(line.t);
      const cut = (a, b) => new TextDecoder().decode(bytes.slice(a, b));
      if (to) {
        text.append(cut(0, from));
        make("mark", "", text).textContent = cut(from, to);
        text.append(cut(to));
      } else text.textContent = line.t || " ";
      if (line.now) item.setAttribute("aria-current", "step");
      if (line.b.length) write(make("span", "run-note", item), line.b);
    }
  }

  function drawList(title, lines, kind = "ul") {
    if (!lines?.length) return;
    make("h4", "", side).textContent = title;
    const list = make(kind, "", side);
    for (const line of lines) write(make("li", "", list), line);
  }

  function drawSide(view) {
    if (view.code.length) drawCode(view.code);
    drawList("The exception's way up", view.up, "ol");
    drawList("What it went through", view.rounds);
    drawList("Values here", view.values);
    drawList("Names here", view.names.map(([name, bits]) => [[`${name} = `, "code"], ...bits]));
  }

  function drawPrinted(text) {
    if (!text) return;
    make("h4", "", side).textContent = "Printed so far";
    make("pre", "", side).textContent = text;
  }

  function drawPaper(lines) {
    for (const line of lines) {
      const item = make("li", line.now ? "now" : "", sheet);
      const wait = make("span", "run-wait", item);
      wait.textContent = "▌".repeat(Math.min(line.w, 12));
      wait.title = `${line.w} waiting`;
      wait.setAttribute("aria-label", `${line.w} waiting: `);
      wait.setAttribute("role", "img");
      write(make("span", "", item), line.b);
      if (line.now) item.setAttribute("aria-current", "step");
    }
  }

  // ------------------------------------------------------------------------------------------ all of it

  let view = null;

  function drawAll(now) {
    view = now;
    const key = root.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    root.setAttribute("aria-label", `A run: ${view.title}`);
    slider.max = view.last;
    if (document.activeElement !== slider || Number(slider.value) !== view.at) slider.value = view.at;
    slider.setAttribute("aria-valuetext", `step ${view.at + 1} of ${view.last + 1}`);
    count.textContent = `step ${view.at + 1} of ${view.last + 1}`;
    for (const node of [back, backOver]) node.setAttribute("aria-disabled", view.at === 0);
    for (const node of [forward, over]) node.setAttribute("aria-disabled", view.at === view.last);
    calls.setAttribute("aria-pressed", view.way === "calls");
    paper.setAttribute("aria-pressed", view.way === "paper");
    for (const node of [said, told, tree, side, sheet, left]) node.replaceChildren();
    write(said, view.said);
    if (spoken.textContent !== view.spoken) spoken.textContent = view.spoken;
    told.textContent = view.told ?? "";
    panes.hidden = view.way !== "calls";
    sheet.hidden = view.way === "calls";
    if (view.rows) drawTree(view.rows);
    if (view.code) drawSide(view);
    if (view.paper) drawPaper(view.paper);
    drawPrinted(view.printed);
    for (const line of view.left) make("div", "", left).textContent = line;
    found.textContent = view.found;
    previous.hidden = next.hidden = !view.finds.length;
    part.hidden = !view.before;
    parted.textContent = view.parted ?? "";
    const again = key && [...root.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key);
    if (key) (again ?? tree.querySelector(".here .run-go") ?? forward).focus({ preventScroll: true });
    show(tree.querySelector(".here > .run-line"), tree);
    show(side.querySelector("li.now"), side);
    root.dataset.at = view.at; // last, so that whoever waits for it sees a run that is drawn
    root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1;
  }

  // Scrolls a pane, and not the page, so that something in it is seen.
  function show(node, pane) {
    if (!node || pane.scrollHeight <= pane.clientHeight) return;
    const [inner, outer] = [node.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      pane.scrollTop += inner.top - outer.top - pane.clientHeight / 3;
  }

  function stepFocus(by) {
    const open = [...tree.querySelectorAll("button.run-go")];
    const at = open.indexOf(document.activeElement);
    const node = open[Math.max(0, Math.min(open.length - 1, at + by))];
    node?.focus();
  }

  const keys = {
    ArrowLeft: (event) => send([event.shiftKey ? "over" : "by", -1]),
    ArrowRight: (event) => send([event.shiftKey ? "over" : "by", 1]),
    Home: () => send(["go", 0]),
    End: () => send(["go", view.last]),
  };
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") event.stopPropagation();
    if (event.target === input || event.altKey || event.ctrlKey || event.metaKey) return;
    const inTree = tree.contains(event.target);
    if (inTree && (event.key === "ArrowDown" || event.key === "ArrowUp")) stepFocus(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key in keys) keys[event.key](event);
    else return;
    event.preventDefault();
  });
  slider.addEventListener("input", () => send(["go", Number(slider.value)]));
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    send(["find", input.value]);
  });
  return drawAll;
}
