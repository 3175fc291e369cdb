// On the pages of notebooks: Python is loaded from the beginning, beside JupyterLite; the notebook's text is shown until
// JupyterLite has drawn it, and a bar until Python runs; and what was written is saved when the page is left.
const Plain = window.Worker;
const script = document.currentScript.src;
const home = (path) => new URL(path, script);
const worker = home("static/pyodide/worker.mjs");
const early = () => new Plain(worker, { type: "module" });
let waiting = new URLSearchParams(location.search).has("path") && !window.crossOriginIsolated ? early() : null;
window.Worker = new Proxy(Plain, {
  construct(_, [url, options]) {
    if (!String(url).includes("/comlink.worker.")) return new Plain(url, options);
    const first = waiting;
    waiting = null;
    return first ?? early();
  },
});

const bar = Object.assign(document.createElement("div"), { id: "foldem-loading" });
bar.setAttribute("role", "status");
bar.style.cssText =
  "position:fixed;z-index:100000;left:50%;bottom:1rem;transform:translateX(-50%);padding:.5rem 1rem;border-radius:.5rem;" +
  "background:#1b1f24;color:#fff;font:15px/1.4 system-ui,sans-serif;box-shadow:0 2px 8px #0006;text-align:center";
const words = document.createElement("div");
const meter = Object.assign(document.createElement("progress"), { max: 1, value: 0 });
meter.style.cssText = "width:18rem;accent-color:#58c79d";
bar.append(words, meter);
document.documentElement.append(bar);

const text = Object.assign(document.createElement("main"), { id: "foldem-text", tabIndex: 0 });
text.style.cssText =
  "position:fixed;z-index:99999;inset:0;overflow:auto;padding:1rem max(1rem, 50vw - 26rem) 6rem;overflow-wrap:anywhere;" +
  "color-scheme:light dark;background:light-dark(#fff,#111);color:light-dark(#1b1f24,#e6e9ee);font:16px/1.5 system-ui,sans-serif";
async function showText() {
  const path = new URLSearchParams(location.search).get("path");
  const page = home(`texts/${encodeURI(path)}.html`);
  const isText = path && page.href.startsWith(home("texts/").href); // not a page of another site, by "../"
  const reply = isText && (await fetch(page, { priority: "high" }));
  if (!reply?.ok || drawn()) return;
  text.innerHTML = await reply.text();
  document.documentElement.append(text);
  document.getElementById(`text-${cellInAddress()}`)?.scrollIntoView();
  await until(drawn);
  const here = text.scrollTop && [...text.children].find((cell) => cell.getBoundingClientRect().bottom > 0);
  text.remove();
  if (here) await bring(here.id.slice("text-".length));
}
const drawn = () => document.querySelector(".jp-Notebook .jp-RenderedMarkdown");
const begun = performance.now();
const LOADING = "Python is loading; you can start reading.";
const draw = (message, from, to, seconds) => {
  words.textContent = message;
  const since = performance.now();
  clearInterval(draw.timer);
  draw.timer = setInterval(() => {
    meter.value = from + (to - from) * (1 - Math.exp((since - performance.now()) / 1000 / seconds));
  }, 100);
};
const until = async (get) => {
  for (;;) {
    const found = get();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const panel = () => window.jupyterapp?.shell?.currentWidget;
const kernel = () => panel()?.sessionContext?.session?.kernel;
const quoted = (text) => JSON.stringify(String(text));
// The notebook's imports, so that its cells can be run in any order. Then its cells can import modules beside it, which
// replace no installed ones.
const OWN_MODULES = `__import__("sys").path.append("")`;
const imports = (notebook) => {
  const { unit = "", course = "course" } = notebook.context?.model?.getMetadata("foldem") ?? {};
  const path = `/drive/${notebook.context.localPath}`, values = [course, unit, path].map(quoted).join(", ");
  const code = `from course.learner.opening import import_names\n  import_names(globals(), ${values})\n  del import_names`;
  return `try:\n  ${code}\nfinally:\n  ${OWN_MODULES}`;
};
const prepare = (notebook) =>
  notebook.sessionContext.session.kernel.requestExecute({ code: imports(notebook), silent: true, store_history: false }).done;
// Bring a cell into view, usually the one that the address names, again while the cells above it grow.
const cellInAddress = () => location.hash.split("#cell-id=")[1];
async function bring(id = cellInAddress()) {
  const notebook = panel();
  const cell = id && notebook?.content?.widgets?.find((each) => each.model.id === id);
  let before, calm = 0;
  for (let tries = 0; cell && calm < 3 && tries < 40; tries++) {
    notebook.setFragment(`#cell-id=${id}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const { top } = cell.node.getBoundingClientRect();
    calm = top === before ? calm + 1 : 0;
    before = top;
  }
}
addEventListener("hashchange", () => bring());
async function load() {
  if (typeof WebAssembly !== "object") {
    words.textContent = "This browser cannot run Python, because it has no WebAssembly. Use a current Firefox, Chrome, Edge or Safari.";
    return meter.remove();
  }
  draw(LOADING, 0, 0.4, 3);
  await until(kernel);
  const notebook = panel();
  await notebook.context?.ready;
  leadHome();
  draw(LOADING, 0.4, 1, 6);
  await prepare(notebook);
  notebook.sessionContext.kernelChanged.connect(() => prepare(notebook)); // it is restarted
  clearInterval(draw.timer);
  bar.remove();
  document.body.dataset.foldemReady = String(Math.round(performance.now() - begun));
  await bring();
}
// JupyterLite's logo leads to its own list of files, in a new tab.
function leadHome() {
  const logo = document.getElementById("jp-NotebookLogo");
  if (logo) Object.assign(logo, { href: home("index.html"), target: "_self", ariaLabel: "All notebooks" });
}
const saved = () => document.visibilityState === "hidden" && window.jupyterapp?.commands.execute("docmanager:save").catch(() => {});
document.addEventListener("visibilitychange", saved);
showText();
load();
