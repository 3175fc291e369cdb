// A shared game: this page fetches Python as bytes, hands it to a sealed frame, and removes the frame if it does not
// answer. The link's code runs only in a worker of that frame, which has no origin, no storage and no network.
const PATIENCE = 10; // seconds without an answer after which the frame is removed
const FILES = JSON.parse(document.currentScript.dataset.files); // the size of each file, by its address
const LIMIT = JSON.parse(document.currentScript.dataset.limit); // of memory: bytes of Python's program to replace
const POLICY = document.currentScript.dataset.policy; // of the frame, in addition to that of this page
const news = document.getElementById("news");
const stop = document.getElementById("stop");
const state = { ping: 0, unanswered: 0, isPlaying: false, call: "" };
let frame = null;

/**
 * @param {string} text
 * @param {string} role
 */
function tell(text, role = "status") {
  news.setAttribute("role", role);
  news.textContent = text;
}

/**
 * Remove the frame, which ends its worker, and say why.
 * @param {string} text
 */
function end(text) {
  frame?.remove();
  frame = null;
  state.isPlaying = false;
  stop.hidden = true;
  tell(`${text} `, "alert");
  news.append(Object.assign(document.createElement("button"), { textContent: "Start again", onclick: () => location.reload() }));
}

/**
 * Return the bytes of a file, unpacked if it is packed.
 * @param {string} path
 * @param {(bytes: number) => void} count
 */
async function fetched(path, count) {
  const reply = await fetch(path);
  if (!reply.ok) throw new Error(`${path} is missing`);
  const counting = new TransformStream({
    transform(chunk, out) {
      count(chunk.length);
      out.enqueue(chunk);
    },
  });
  const stream = reply.body.pipeThrough(counting);
  return new Response(path.endsWith(".packed") ? stream.pipeThrough(new DecompressionStream("gzip")) : stream).arrayBuffer();
}

async function fetchAll() {
  const meter = Object.assign(document.createElement("progress"), { max: Object.values(FILES).reduce((sum, size) => sum + size), value: 0 });
  tell("Loading Python … ");
  news.append(meter);
  const load = async (path) => [path.split("/").pop().replace(".packed", ""), await fetched(path, (bytes) => (meter.value += bytes))];
  return Object.fromEntries(await Promise.all(Object.keys(FILES).map(load)));
}

/** @param {ArrayBuffer} program */
function limitMemory(program) {
  const bytes = new Uint8Array(program, LIMIT.at, LIMIT.bytes.length);
  if (String(bytes) !== String(LIMIT.replaces)) throw new Error("Python belongs to another version of the site");
  bytes.set(LIMIT.bytes);
}

/** @param {Record<string, ArrayBuffer>} files */
function seal(files) {
  limitMemory(files["pyodide.asm.wasm"]);
  const { "frame.js": script, "frame.css": style, ...others } = files;
  const read = (bytes) => new TextDecoder().decode(bytes);
  frame = Object.assign(document.createElement("iframe"), { title: "The game" });
  frame.setAttribute("sandbox", "allow-scripts");
  frame.srcdoc = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The game</title><meta http-equiv="Content-Security-Policy"
    content="${POLICY}"><style>${read(style)}</style></head><body><main id="out"></main><script type="module">${read(script)}</script></body></html>`;
  frame.onload = () => frame.contentWindow.postMessage({ files: others, link: location.hash.slice(1) }, "*", Object.values(others));
  tell("Starting Python …");
  stop.hidden = false;
  document.body.append(frame);
}

// What the frame reports. It may be anything, since the code of a link may have sent it: it is shown as plain text.
const REACT = {
  title: ({ title, author }) => {
    const owner = author ? `${String(author).slice(0, 60)} wrote this engine` : "an engine by somebody who gave no name";
    const game = /^\w{1,60}$/.test(title) ? title : "A shared game"; // no sentence of a stranger above the frame
    document.querySelector("h1").textContent = `${game}: ${owner}`;
  },
  began: () => (state.isPlaying = true),
  shown: () => news.getAttribute("role") === "status" && tell(""),
  answered: ({ answered }) => answered === state.ping && (state.unanswered = 0),
  calling: ({ calling }) => (state.call = String(calling.call).slice(0, 300)),
  failed: ({ failed }) => end(`The game has stopped. Its code said: “${String(failed).slice(0, 600)}”`), // not the page itself
  stop: () => end("You stopped the game."),
};

addEventListener("message", ({ source, data }) => {
  if (!frame || source !== frame.contentWindow) return;
  for (const name of Object.keys(data)) if (Object.hasOwn(REACT, name)) REACT[name](data);
});

function watch() {
  if (!state.isPlaying) return;
  const call = state.call && ` The last call was: ${state.call}`;
  if (!state.unanswered) frame.contentWindow.postMessage({ ping: (state.ping = Math.random()) }, "*"); // nobody can guess it
  if (++state.unanswered > PATIENCE) end(`The engine did not answer for ${PATIENCE} seconds, so it was stopped.${call}`);
}

stop.onclick = () => end("You stopped the game.");
addEventListener("hashchange", () => location.reload());
setInterval(watch, 1000);
fetchAll().then(seal).catch((error) => end(`The page could not be loaded: ${error.message}. Check your connection.`));
