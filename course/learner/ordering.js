// A Parsons puzzle: lines to put in order, by dragging or tapping them, or by keys.
const DRAGGED = 6; // pixels; a shorter way is a tap
const KEYS = "To move a line to the other list, tap it or press Enter. To change the order, drag a line, or press Shift with ↑ or ↓.";

/** @param {HTMLElement} parent @param {string} title @param {number} start */
function addList(parent, title, start) {
  const part = make("div", "ordering-part", parent);
  make("div", "ordering-title", part).textContent = title;
  const list = make("ol", "", part);
  list.start = start;
  list.setAttribute("aria-label", title);
  return list;
}

/** @param {HTMLElement} list @param {string} letter @param {string} text */
function addLine(list, letter, text) {
  const line = make("li", "", list);
  line.dataset.letter = letter;
  const button = focusable(make("button", "", line));
  button.type = "button";
  make("span", "ordering-grip", button).setAttribute("aria-hidden", "true");
  const code = make("code", "", button);
  code.textContent = text.trim();
  code.style.setProperty("--indent", String(text.length - text.trimStart().length));
}

/** @param {HTMLElement} el @param {{signature: string, lines: string[][], start: number}} puzzle */
function addPuzzle(el, { signature, lines, start }) {
  const root = focusable(make("div", "foldem-ordering", el));
  make("p", "", root).textContent = `Put the lines in order. Leave out the wrong lines. ${KEYS}`;
  const lists = make("div", "ordering-lists", root);
  const pool = addList(lists, "Lines", 1);
  const answer = addList(lists, "Your answer", start);
  if (signature) answer.before(Object.assign(document.createElement("pre"), { textContent: signature }));
  for (const [letter, text] of lines) addLine(pool, letter, text);
  const button = focusable(make("button", "ordering-check", root));
  Object.assign(button, { type: "button", textContent: "Check these lines" });
  const [news, reply] = [make("div", "ordering-news", root), make("div", "ordering-reply", root)];
  for (const node of [news, reply]) node.setAttribute("aria-live", "polite");
  return { root, pool, answer, button, news, reply };
}

/** @param {any} line @param {any} answer */
function positionOf(line, answer) {
  const code = line.querySelector("code").textContent;
  if (line.parentNode !== answer) return `Not in your answer: ${code}`;
  return `Line ${[...answer.children].indexOf(line) + 1} of ${answer.children.length} of your answer: ${code}`;
}

/** @param {any} view @param {(line: any) => void} moved */
function addKeys({ root, pool, answer }, moved) {
  /** @param {any} line @param {any} list @param {any} before */
  const move = (line, list, before) => {
    list.insertBefore(line, before);
    line.firstChild.focus();
    moved(line);
  };
  root.addEventListener("click", (/** @type {any} */ { target }) => {
    const line = target.closest("li");
    if (line) move(line, line.parentNode === pool ? answer : pool, null);
  });
  root.addEventListener("keydown", (/** @type {any} */ event) => {
    keepKeys(event);
    const line = event.target.closest("li");
    const isUp = event.key === "ArrowUp";
    if (!line || (!isUp && event.key !== "ArrowDown")) return;
    event.preventDefault();
    const next = isUp ? line.previousSibling : line.nextSibling;
    if (!next) return;
    if (event.shiftKey && line.parentNode === answer) move(line, answer, isUp ? next : next.nextSibling);
    else next.firstChild.focus();
  });
}

/** @param {any} line @param {any[]} lists @param {{clientX: number, clientY: number}} point */
function dragTo(line, lists, { clientX, clientY }) {
  const list = lists.find((each) => {
    const { left, right, top, bottom } = each.parentNode.getBoundingClientRect();
    return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  });
  if (!list) return;
  const others = [...list.children].filter((each) => each !== line);
  const before = others.find((each) => {
    const { top, height } = each.getBoundingClientRect();
    return clientY < top + height / 2;
  });
  if (line.parentNode !== list || line.nextSibling !== (before ?? null)) list.insertBefore(line, before ?? null);
}

/** @param {any} view @param {(line: any) => void} moved */
function addDrag({ root, pool, answer }, moved) {
  /** @type {any} */
  let drag = null;
  root.addEventListener("pointerdown", (/** @type {any} */ { target, pointerType, button, clientX, clientY }) => {
    const isHeld = pointerType !== "touch" || target.closest(".ordering-grip"); // elsewhere, a touch scrolls
    const line = button || !isHeld ? null : target.closest("li");
    drag = line && { line, clientX, clientY, begun: false };
  });
  root.addEventListener("pointermove", (/** @type {any} */ event) => {
    if (!drag) return;
    if (!drag.begun && Math.hypot(event.clientX - drag.clientX, event.clientY - drag.clientY) < DRAGGED) return;
    drag.begun = true;
    root.setPointerCapture(event.pointerId); // so that the release is no tap on a line
    drag.line.classList.add("ordering-dragged");
    dragTo(drag.line, [pool, answer], event);
  });
  for (const end of ["pointerup", "pointercancel"])
    root.addEventListener(end, () => {
      drag?.line.classList.remove("ordering-dragged");
      if (drag?.begun) moved(drag.line);
      drag = null;
    });
}

/** @param {{model: any, el: HTMLElement}} widget */
function render({ model, el }) {
  const view = addPuzzle(el, model.get("puzzle"));
  const { pool, answer, button, news, reply } = view;
  for (const letter of model.get("order")) answer.append(pool.querySelector(`[data-letter="${letter}"]`));
  const moved = (/** @type {any} */ line) => {
    model.set("order", [...answer.children].map((each) => each.dataset.letter).join(""));
    model.save_changes();
    news.textContent = positionOf(line, answer);
  };
  addKeys(view, moved);
  addDrag(view, moved);
  button.addEventListener("click", () => {
    reply.textContent = "Checking…";
    model.send({ order: model.get("order") });
  });
  return showReply(model, reply);
}

export default { render };
