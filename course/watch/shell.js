// A widget that shows a run, or a button that offers one.
class Shell {
  /** @param {{model: any, el: HTMLElement}} widget */
  constructor({ model, el }) {
    this.model = model;
    this.root = make("div", "foldem foldem-live", el);
    this.root.addEventListener("keydown", keepKeys);
    /** @type {((view: object) => void) | null} */
    this.drawRun = null;
    /** @type {any} */
    this.button = null;
  }

  /** @param {unknown[]} action */
  send(action) {
    this.model.send({ do: action });
  }

  draw() {
    const view = this.model.get("view");
    if (view.offer) return this.drawOffer(view.offer);
    this.button?.remove();
    this.button = null;
    if (view.fault) this.root.textContent = view.fault;
    else this.drawView(view);
  }

  /** @param {string} offer */
  drawOffer(offer) {
    this.button ??= focusable(make("button", "run-offer", this.root));
    this.button.type = "button";
    this.button.textContent = offer;
    this.button.onclick = () => this.send(["watch"]);
  }

  /** @param {{focus?: boolean}} view */
  drawView(view) {
    const isFirst = !this.drawRun;
    if (isFirst) this.root.replaceChildren();
    this.drawRun ??= runPane(this.root, (/** @type {unknown[]} */ action) => this.send(action), () => this.model.get("art"));
    this.drawRun(view);
    if (isFirst && view.focus) this.root.querySelector("input[type=range]").focus({ preventScroll: true });
  }
}

/** @param {{model: any, el: HTMLElement}} widget */
function render(widget) {
  const shell = new Shell(widget);
  const drawAll = () => shell.draw();
  widget.model.on("change:view", drawAll);
  drawAll();
  return () => widget.model.off("change:view", drawAll);
}

export default { render };
