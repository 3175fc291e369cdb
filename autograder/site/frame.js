// In the sealed frame of a shared game, after the scripts of the table: it starts the worker, and draws what it sends.
const DRAWN = new Set("b br circle code defs div ellipse g line linearGradient mark path pattern polygon polyline rect span stop strong text tspan use".split(" "));
const state = { art: {}, scene: {}, calling: {} };
const listeners = new Map();
let engine = null;

/** @param {object} message */
const tell = (message) => window.parent.postMessage(message, "*");

/**
 * Whether a drawing has only shapes and text. The worker may have sent anything.
 * @param {Element} node
 */
function isDrawing(node) {
  const isPlain = ({ name, value }) => !/^on|src$/i.test(name) && (!/href$/i.test(name) || value.startsWith("#"));
  return [...node.querySelectorAll("*")].every((each) => DRAWN.has(each.localName) && [...each.attributes].every(isPlain));
}

// What the table draws is parsed in another document, where nothing loads or runs, and moved here if it is a drawing.
const setMarkup = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML").set;
const elsewhere = document.implementation.createHTMLDocument("");
/**
 * Return the nodes of a text; none if it is no drawing.
 * @param {Element} parent
 * @param {string} text
 */
function nodesOf(parent, text) {
  const draft = elsewhere.importNode(parent, false);
  setMarkup.call(draft, text);
  return isDrawing(draft) ? draft.childNodes : [];
}

Object.defineProperty(Element.prototype, "innerHTML", {
  set(text) {
    this.replaceChildren(...nodesOf(this, text));
  },
});
Element.prototype.insertAdjacentHTML = function (_, text) {
  this.append(...nodesOf(this, text)); // only "beforeend" is used
};

const model = {
  get: (name) => state[name],
  on: (event, act) => listeners.set(event, act),
  off: (event) => listeners.delete(event),
  send: (message) => engine.postMessage({ click: JSON.stringify(message) }),
  widget_manager: { kernel: { interrupt: () => tell({ stop: true }) } },
};

/** @param {Record<string, any>} message */
function receive(message) {
  const isFirst = !state.scene.items && message.scene;
  for (const name of Object.keys(message)) {
    if (!(name in state)) continue;
    state[name] = message[name];
    listeners.get(`change:${name}`)?.();
  }
  if (isFirst) render({ model, el: document.getElementById("out") });
  if (isFirst) tell({ shown: true });
  if (!message.scene && !message.art) tell(message);
}

addEventListener("message", ({ source, data }) => {
  if (source !== window.parent) return;
  if (data.ping) return engine?.postMessage(data);
  const { "engine.js": script, ...files } = data.files;
  engine = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  engine.onmessage = ({ data: message }) => receive(typeof message === "string" ? JSON.parse(message) : message);
  engine.onerror = (event) => tell({ failed: event.message ?? "the worker ended" });
  engine.postMessage({ files, link: data.link }, Object.values(files));
});
