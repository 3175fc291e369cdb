// What every view is made with: nodes of a page, nodes of a drawing.
const SVG = "http://www.w3.org/2000/svg";

function make(tag, className, parent) {
  const node = document.createElement(tag);
  node.className = className;
  parent.append(node);
  return node;
}

function draw(tag, className, parent) {
  const node = document.createElementNS(SVG, tag);
  if (className) node.setAttribute("class", className);
  parent?.append(node);
  return node;
}

function focusable(node) {
  node.dataset.lmSuppressShortcuts = "true";
  return node;
}

function setAttribute(node, name, value) {
  if (value === undefined || value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

