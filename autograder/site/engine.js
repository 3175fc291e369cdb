// The worker of a shared game: Python from bytes, the course, and the code of the link. It has no origin and no network.
const TYPES = { mjs: "text/javascript", wasm: "application/wasm", zip: "application/zip" };
const MOST_SENT = 2e7; // characters in answer to one click
const LEAST_SENT = 1e3; // what a short message counts, because the frame works on each one
const NOT_FOR_GAMES = `BroadcastChannel EventSource FileReaderSync SharedWorker WebSocket WebSocketStream WebTransport Worker XMLHttpRequest
  caches fetch importScripts indexedDB navigator postMessage`.split(/\s+/);
const UNPACK = `
import sys, zipfile
for name in wheels:
    with zipfile.ZipFile(name) as wheel:
        wheel.extractall(home, [each for each in wheel.namelist() if "/sealed/" not in each])
sys.path.insert(0, home)
from course.tables.shared import play_link
play_link`;
// Close Python's ways to JavaScript. The safety of the page does not depend on it, but a try is an error at once.
const LOCK_UP = `
import sys
from course.kernel import limits
limits.browser = None
for finder in sys.meta_path:
    getattr(finder, "jsproxies", {}).clear()
for name in [*sys.modules, "js", "pyodide_js"]:
    if name.partition(".")[0] in ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core"):
        sys.modules[name] = None`;
const post = self.postMessage.bind(self);
let receive = null;
let sent = 0;

/** @param {string} message */
function send(message) {
  const text = String(message);
  sent += Math.max(text.length, LEAST_SENT);
  if (sent > MOST_SENT) throw new RangeError("too much is drawn");
  post(text);
}

/** @param {string} name */
const typeOf = (name) => TYPES[name.split(".").pop()] ?? "";

/** @param {Record<string, ArrayBuffer>} files */
async function startPython(files) {
  const load = (name) => import(URL.createObjectURL(new Blob([files[name]], { type: TYPES.mjs })));
  self.fetch = async (url) => {
    const name = String(url).split("/").pop();
    return new Response(files[name], { headers: { "Content-Type": typeOf(name) } });
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([load("pyodide.mjs"), load("pyodide.asm.mjs")]);
  const lockFileContents = { info: JSON.parse(new TextDecoder().decode(files["pyodide-lock.json"])).info, packages: {} };
  const sealed = "https://sealed.invalid/";
  return loadPyodide({ createPyodideModule, indexURL: sealed, packageBaseUrl: sealed, lockFileContents });
}

/**
 * @param {any} python
 * @param {Record<string, ArrayBuffer>} files
 */
function openCourse(python, files) {
  const wheels = Object.keys(files).filter((name) => name.endsWith(".whl"));
  for (const name of wheels) python.FS.writeFile(name, new Uint8Array(files[name]));
  return python.runPython(UNPACK, { globals: python.toPy({ wheels, home: "/course" }) });
}

function dropGlobals() {
  for (let scope = self; scope; scope = Object.getPrototypeOf(scope)) for (const name of NOT_FOR_GAMES) delete scope[name];
  for (const name of NOT_FOR_GAMES) Object.defineProperty(self, name, { value: undefined });
}

/** @param {{ files: Record<string, ArrayBuffer>, link: string }} order */
async function begin({ files, link }) {
  const packages = JSON.parse(new TextDecoder().decode(files["packages.json"]));
  const python = await startPython(files);
  const play = openCourse(python, files);
  python.runPython(LOCK_UP);
  dropGlobals();
  post({ began: true });
  receive = play(link, packages, send);
}

self.onmessage = async ({ data }) => {
  sent = 0;
  try {
    if (data.ping) post({ answered: data.ping });
    else if (data.click) receive?.(data.click);
    else await begin(data);
  } catch (error) {
    post({ failed: String(error).trim().split("\n").pop() });
  }
};
