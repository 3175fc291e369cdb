// The front end of every table: it draws view dicts, reusing nodes by key, and sends clicks back with their revision.
const PATIENCE = 2000; // milliseconds until a table says that it still waits for an answer
const NARROW = 700; // pixels of width below which the table is laid out for a narrow room
const SIZES = { tile: [40, 80], card: [70, 104], uno: [70, 104], color: [60, 60] };
const still = matchMedia("(prefers-reduced-motion: reduce)");

function place({ x, y, r = 0, z = 1 }) {
  return `translate(${x}px,${y}px) rotate(${r}deg) scale(${z})`;
}

function render({ model, el }) {
  const root = make("div", "foldem foldem-live", el);
  root.dataset.lmSuppressShortcuts = "true";
  const svg = draw("svg", "foldem-scene", root);
  svg.setAttribute("role", "group");
  svg.setAttribute("tabindex", -1); // where the focus waits while there is nothing to choose
  const felt = draw("rect", "felt", svg);
  felt.setAttribute("rx", 14);
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
  const why = focusable(make("button", "foldem-why", make("div", "foldem-bar", root)));
  why.type = "button";
  why.textContent = "Why? Watch this move run";
  why.onclick = () => send(["why"]);
  let drawRun = null;
  let run = null;
  const log = make("details", "foldem-log", root);
  const logTitle = focusable(make("summary", "", log));
  logTitle.textContent = "Last moves, the newest first";
  const logList = make("ul", "", log);
  log.open = true;

  const nodes = new Map();
  const buttons = new Map();
  let view = null;
  let current = null;
  let timer = 0;
  let asked = -1;
  let slow = 0;
  let isSlow = false;
  let room = "";

  const send = (action) => {
    const always = ["go", "room", "watched"].includes(action[0]);
    if (!always && asked === view.rev) return;
    asked = always ? asked : view.rev;
    model.send({ rev: view.rev, do: action });
    clearTimeout(slow);
    slow = setTimeout(tellSlow, PATIENCE);
  };

  // ------------------------------------------------------------------------------------------ the scene

  function newItem(item) {
    const node = draw("g");
    draw("g", "", node);
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

  // What can be clicked lies as a clear box over its picture: its name is a sentence, and not what is drawn on a card.
  function drawHit(node, item) {
    if (!item.do) return node.children[1]?.remove();
    const hit = node.children[1] ?? focusable(draw("rect", "hit", node));
    const [width, height] = SIZES[item.a.split(":")[0]] ?? [40, 40];
    const box = { x: -width / 2, y: -height / 2, width, height, rx: 8, role: "button", tabindex: -1 };
    const pressed = item.on === undefined ? undefined : item.on;
    for (const [name, value] of Object.entries({ ...box, "aria-label": item.l, "aria-pressed": pressed }))
      setAttribute(hit, name, value);
  }

  function drawItem(item) {
    const node = nodes.get(item.k) ?? newItem(item);
    fill(node, item);
    drawHit(node, item);
    node.item = item;
    node.style.opacity = 1;
    const isPicture = item.a && item.l && !item.do;
    setAttribute(node, "class", `item ${item.c ?? ""} ${item.do ? "can" : ""} ${item.a ? "art" : "said"}`);
    setAttribute(node, "role", isPicture ? "img" : undefined);
    setAttribute(node, "aria-label", isPicture ? item.l : undefined);
    setAttribute(node.firstChild, "aria-hidden", item.a ? "true" : undefined);
    node.style.transform = place(item);
    return node;
  }

  const choices = () => [...svg.querySelectorAll(".can > .hit")];

  function drawItems(items) {
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
  }

  // ------------------------------------------------------------------------------------------ the focus

  const focused = () => {
    const node = document.activeElement;
    return svg === node || svg.contains(node) || bar.contains(node) ? node : null;
  };

  // The focus goes where the next move is made; while there is none it waits at the scene, where no key does anything.
  function keepFocus(had) {
    const open = choices();
    if (!open.includes(current)) current = open[0] ?? null;
    if (current) current.setAttribute("tabindex", 0);
    if (!had) return;
    const stays = open.includes(had) || bar.contains(had);
    const next = stays ? had : (current ?? bar.querySelector(".strong") ?? svg);
    if (open.includes(next)) makeCurrent(next);
    if (document.activeElement !== next) next.focus({ preventScroll: true });
  }

  function makeCurrent(node) {
    current?.setAttribute("tabindex", -1);
    current = node;
    current.setAttribute("tabindex", 0);
  }

  function step(by) {
    const open = choices();
    if (!open.length) return;
    const here = open.indexOf(document.activeElement);
    makeCurrent(open[here < 0 ? 0 : (here + by + open.length) % open.length]);
    current.focus({ preventScroll: true });
  }

  // ------------------------------------------------------------------------------------------ what is below it

  function drawBar(wanted) {
    const keys = wanted.map((button) => JSON.stringify(button.do));
    for (const [key, node] of buttons) {
      if (!keys.includes(key)) {
        node.remove();
        buttons.delete(key);
      }
    }
    wanted.forEach((button, index) => {
      const node = buttons.get(keys[index]) ?? focusable(make("button", "", bar));
      buttons.set(keys[index], node);
      node.type = "button";
      node.className = button.c ?? "";
      if (node.textContent !== button.l) node.textContent = button.l;
      node.onclick = button.act ?? (() => send(button.do));
      if (bar.children[index] !== node) bar.insertBefore(node, bar.children[index]);
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

  // How the move that led here was made, step by step, below the table.
  function drawWhy() {
    why.hidden = !view.why;
    why.setAttribute("aria-expanded", Boolean(view.run));
    if (!view.run) {
      run?.remove();
      run = drawRun = null;
      return;
    }
    if (!drawRun) {
      run = make("div", "", root);
      log.before(run);
      drawRun = runPane(run, (action) => send(["watched", ...action]), () => model.get("art"));
    }
    drawRun(view.run);
  }

  function drawLog(lines) {
    log.hidden = lines.length === 0;
    while (logList.children.length > lines.length) logList.lastChild.remove();
    lines.forEach((line, index) => {
      const node = logList.children[index] ?? make("li", "", logList);
      if (node.textContent !== line) node.textContent = line;
    });
  }

  function say(text) {
    if (status.textContent !== text) status.textContent = text;
  }

  // ------------------------------------------------------------------------------------------ a slow kernel

  function tellSlow() {
    const { rev = -1, call = "" } = model.get("calling");
    const had = focused();
    isSlow = true;
    if (rev <= view.rev) {
      say("The kernel is busy with another cell: the table goes on when that is done.");
      return;
    }
    say("Still thinking.");
    drawNote({ text: "This call has not answered yet. Wait, or stop it and look at the function:", code: call });
    drawBar([{ l: "Stop it", do: ["stop"], act: stop }]);
    keepFocus(had);
  }

  function stop() {
    const kernel = model.widget_manager?.kernel;
    const failed = () => say("It cannot be stopped from here: interrupt the kernel (■).");
    new Promise((done) => done(kernel.interrupt())).catch(failed);
  }

  // ------------------------------------------------------------------------------------------ all of it

  function drawAll() {
    view = model.get("view");
    if (!view.items) return;
    const had = focused();
    clearTimeout(slow);
    isSlow = false;
    setAttribute(svg, "viewBox", `0 0 ${view.w} ${view.h}`);
    setAttribute(svg, "aria-label", view.title);
    setAttribute(felt, "width", view.w);
    setAttribute(felt, "height", view.h);
    drawItems(view.items);
    say(view.status);
    drawNote(view.note);
    drawBar(view.bar);
    drawTime(view.time);
    drawWhy();
    drawLog(view.log ?? []);
    keepFocus(had);
    clearTimeout(timer);
    if (view.begins) slow = setTimeout(tellSlow, PATIENCE);
    if (view.wait !== undefined) timer = setTimeout(() => send(["tick"]), view.wait);
    root.dataset.room = view.room;
    root.dataset.revision = view.rev; // last, so that whoever waits for it sees a table that is drawn
  }

  function act(hit) {
    if (!hit) return;
    makeCurrent(hit);
    send(hit.parentNode.item.do);
  }

  svg.addEventListener("click", (event) => act(event.target.closest?.(".hit")));
  svg.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key in moves) step(moves[event.key]);
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (!event.repeat) act(event.target.closest?.(".hit"));
    event.preventDefault();
  });
  root.addEventListener("keydown", (event) => event.key !== "Tab" && event.stopPropagation());
  slider.addEventListener("input", () => send(["go", Number(slider.value)]));
  const measure = new ResizeObserver(([{ contentRect }]) => {
    const now = contentRect.width < NARROW ? "narrow" : "wide";
    if (!contentRect.width || now === room) return;
    room = now;
    if (room !== (view?.room ?? "wide")) send(["room", room]);
  });
  model.on("change:view", drawAll);
  const tellOther = () => isSlow && tellSlow();
  model.on("change:calling", tellOther);
  drawAll();
  measure.observe(root);
  return () => {
    clearTimeout(timer);
    clearTimeout(slow);
    measure.disconnect();
    model.off("change:view", drawAll);
    model.off("change:calling", tellOther);
  };
}

export default { render };
