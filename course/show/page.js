// What every view is made with: nodes of a page, nodes of a drawing.
const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {string} className
 * @param {Element} parent
 * @returns {any}
 */
function make(tag, className, parent) {
  const node = document.createElement(tag);
  node.className = className;
  parent.append(node);
  return node;
}

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {Element} [parent]
 * @returns {any}
 */
function draw(tag, className, parent) {
  const node = document.createElementNS(SVG, tag);
  if (className) node.setAttribute("class", className);
  parent?.append(node);
  return node;
}

/**
 * Let JupyterLab leave the keys to a node.
 * @param {any} node
 * @returns {any}
 */
function focusable(node) {
  node.dataset.lmSuppressShortcuts = "true";
  return node;
}

/**
 * Set an attribute if it has another value; remove it if there is no value.
 * @param {Element} node
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(node, name, value) {
  if (value === undefined || value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * Keep a key from the notebook around a widget; the Tab key still leaves it.
 * @param {KeyboardEvent} event
 */
function keepKeys(event) {
  if (event.key !== "Tab") event.stopPropagation();
}

/**
 * Show the reply of a widget's model in a node, now and whenever it changes. Return a function that stops this.
 * @param {any} model
 * @param {HTMLElement} node
 * @param {() => void} [react]
 * @returns {() => void}
 */
function showReply(model, node, react) {
  const drawReply = () => {
    if (!model.get("reply_html")) return;
    node.innerHTML = model.get("reply_html");
    react?.();
  };
  model.on("change:reply_html", drawReply);
  drawReply();
  return () => model.off("change:reply_html", drawReply);
}
