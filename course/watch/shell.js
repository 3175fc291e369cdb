// A widget that shows a run, or a button that asks for one.
function render({ model, el }) {
  const root = make("div", "foldem foldem-live", el);
  const send = (action) => model.send({ do: action });
  let drawRun = null;
  let button = null;
  function drawAll() {
    const view = model.get("view");
    if (view.offer) {
      button ??= focusable(make("button", "run-offer", root));
      button.type = "button";
      button.textContent = view.offer;
      button.onclick = () => send(["watch"]);
      return;
    }
    button?.remove();
    button = null;
    if (view.fault) {
      root.textContent = view.fault;
      return;
    }
    const was = drawRun;
    if (!was) root.replaceChildren();
    drawRun ??= runPane(root, send, () => model.get("art"));
    drawRun(view);
    if (!was && view.focus) root.querySelector("input[type=range]").focus({ preventScroll: true });
  }
  root.addEventListener("keydown", (event) => event.key !== "Tab" && event.stopPropagation());
  model.on("change:view", drawAll);
  drawAll();
  return () => model.off("change:view", drawAll);
}

export default { render };
