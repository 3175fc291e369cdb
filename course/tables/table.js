// The front end of every table: it draws view dicts, reusing nodes by key, and sends clicks back with their revision.
const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

function make(tag, className, parent) {
  const node = document.createElement(tag);
  node.className = className;
  parent.append(node);
  return node;
}

function focusable(node) {
  node.dataset.lmSuppressShortcuts = "true";
  return node;
}

function place({ x, y, r = 0, z = 1 }) {
  return `translate(${x}px,${y}px) rotate(${r}deg) scale(${z})`;
}

function setAttribute(node, name, value) {
  if (value === undefined || value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

function render({ model, el }) {
  const root = make("div", "foldem", el);
  root.dataset.lmSuppressShortcuts = "true";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "foldem-scene");
  svg.setAttribute("role", "group");
  root.append(svg);
  const felt = document.createElementNS(SVG, "rect");
  felt.setAttribute("class", "felt");
  felt.setAttribute("rx", 14);
  svg.append(felt);
  const status = make("div", "foldem-status", root);
  status.setAttribute("role", "status");
  status.setAttribute("aria-live", "polite");
  const note = make("div", "foldem-note", root);
  const bar = make("div", "foldem-bar", root);
  const time = make("div", "foldem-time", root);
  const slider = focusable(make("input", "", time));
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", "Time: the game so far");
  const moment = make("span", "", time);
  const log = make("details", "foldem-log", root);
  const logTitle = focusable(make("summary", "", log));
  logTitle.textContent = "Last moves, the newest first";
  const logList = make("ul", "", log);
  log.open = true;

  const nodes = new Map();
  let view = null;
  let current = null;
  let timer = 0;
  let asked = -1;

  const send = (action) => {
    if (action[0] !== "go" && asked === view.rev) return;
    asked = action[0] === "go" ? asked : view.rev;
    model.send({ rev: view.rev, do: action });
  };

  function newItem(item) {
    const node = document.createElementNS(SVG, "g");
    node.append(document.createElementNS(SVG, "g"));
    node.dataset.k = item.k;
    if (item.f && !still.matches) {
      node.style.transform = place({ ...item, x: item.f[0], y: item.f[1] });
      node.style.opacity = 0;
      node.getBoundingClientRect();
    }
    nodes.set(item.k, node);
    return node;
  }

  function fill(node, item) {
    const inside = node.firstChild;
    const content = item.a ?? item.t;
    if (node.content === content) return;
    node.content = content;
    if (item.a) inside.innerHTML = model.get("art")[item.a] ?? "";
    else {
      inside.innerHTML = '<text y="5"></text>';
      inside.firstChild.textContent = item.t;
    }
  }

  function drawItem(item) {
    const fresh = !nodes.has(item.k);
    const node = nodes.get(item.k) ?? newItem(item);
    fill(node, item);
    node.item = item;
    node.style.opacity = 1;
    setAttribute(node, "class", `item ${item.c ?? ""} ${item.do ? "can" : ""} ${item.a ? "art" : "said"}`);
    setAttribute(node, "role", item.do ? "button" : item.a && item.l ? "img" : undefined);
    setAttribute(node, "aria-label", item.a ? item.l : undefined);
    setAttribute(node, "aria-hidden", item.a && !item.l ? "true" : undefined);
    setAttribute(node, "aria-pressed", item.do && item.on !== undefined ? item.on : undefined);
    setAttribute(node, "tabindex", item.do ? -1 : undefined);
    setAttribute(node, "data-lm-suppress-shortcuts", item.do ? "true" : undefined);
    node.style.transform = place(item);
    return node;
  }

  const choices = () => [...svg.querySelectorAll(".can")];

  function drawItems(items) {
    const had = svg.contains(document.activeElement) ? document.activeElement : null;
    const keys = new Set(items.map((item) => item.k));
    for (const [key, node] of nodes) {
      if (!keys.has(key)) {
        node.remove();
        nodes.delete(key);
      }
    }
    let before = felt;
    for (const item of items) {
      const node = drawItem(item);
      if (before.nextSibling !== node) before.after(node);
      before = node;
    }
    keepFocus(had);
  }

  function keepFocus(had) {
    const open = choices();
    if (!open.includes(current)) current = open[0] ?? null;
    if (current) current.setAttribute("tabindex", 0);
    if (had && document.activeElement !== had) {
      if (open.includes(had)) current = had;
      if (current) current.focus({ preventScroll: true });
      else (bar.querySelector("button") ?? slider).focus({ preventScroll: true });
    } else if (had && current && !open.includes(had)) current.focus({ preventScroll: true });
  }

  function drawBar(buttons) {
    while (bar.children.length > buttons.length) bar.lastChild.remove();
    buttons.forEach((button, index) => {
      const node = bar.children[index] ?? focusable(make("button", "", bar));
      node.type = "button";
      node.className = button.c ?? "";
      if (node.textContent !== button.l) node.textContent = button.l;
      node.onclick = () => send(button.do);
    });
  }

  function drawNote(said) {
    note.hidden = !said;
    if (!said) return note.replaceChildren();
    note.className = `foldem-note ${said.bad ? "bad" : ""}`;
    setAttribute(note, "role", said.bad ? "alert" : "note");
    note.replaceChildren(said.text);
    if (said.code) {
      note.append("\n");
      make("code", "", note).textContent = said.code;
    }
  }

  function drawTime({ at, last }) {
    time.hidden = last < 1;
    slider.max = last;
    if (document.activeElement !== slider || Number(slider.value) !== at) slider.value = at;
    slider.setAttribute("aria-valuetext", `move ${at} of ${last}: ${view.status}`);
    moment.textContent = `move ${at} of ${last}`;
  }

  function drawLog(lines) {
    log.hidden = lines.length === 0;
    while (logList.children.length > lines.length) logList.lastChild.remove();
    lines.forEach((line, index) => {
      const node = logList.children[index] ?? make("li", "", logList);
      if (node.textContent !== line) node.textContent = line;
    });
  }

  function draw() {
    view = model.get("view");
    if (!view.items) return;
    setAttribute(svg, "viewBox", `0 0 920 ${view.h}`);
    setAttribute(svg, "aria-label", view.title);
    setAttribute(felt, "width", 920);
    setAttribute(felt, "height", view.h);
    drawItems(view.items);
    if (status.textContent !== view.status) status.textContent = view.status;
    drawNote(view.note);
    drawBar(view.bar);
    drawTime(view.time);
    drawLog(view.log ?? []);
    clearTimeout(timer);
    if (view.wait !== undefined) timer = setTimeout(() => send(["tick"]), view.wait);
    root.dataset.revision = view.rev; // last, so that whoever waits for it sees a table that is drawn
  }

  function act(node) {
    if (!node?.item?.do) return;
    current = node;
    send(node.item.do);
  }

  function step(by) {
    const open = choices();
    if (!open.length) return;
    open.forEach((node) => node.setAttribute("tabindex", -1));
    current = open[(Math.max(open.indexOf(document.activeElement), 0) + by + open.length) % open.length];
    current.setAttribute("tabindex", 0);
    current.focus({ preventScroll: true });
  }

  svg.addEventListener("click", (event) => act(event.target.closest?.(".can")));
  svg.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key in moves) step(moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") act(event.target.closest?.(".can"));
    else return;
    event.preventDefault();
  });
  root.addEventListener("keydown", (event) => event.key !== "Tab" && event.stopPropagation());
  slider.addEventListener("input", () => send(["go", Number(slider.value)]));
  model.on("change:view", draw);
  draw();
  return () => {
    clearTimeout(timer);
    model.off("change:view", draw);
  };
}

export default { render };
