// Python as kernels load it. It begins to load once this is imported, and waits for the kernel that asks for it.
import { loadPyodide as load } from "./pyodide.mjs";

const fetchFile = self.fetch;
const here = (name) => new URL(name, import.meta.url).href;

/** Fetch a file; Python's program is packed in the site. */
async function fetchUnpacked(address, options) {
  if (!String(address).endsWith(".wasm")) return fetchFile(address, options);
  const { ok, body } = await fetchFile(`${address}.packed`, options);
  if (!ok) return Response.error();
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
}

async function begin() {
  self.fetch = fetchUnpacked;
  const zip = fetchFile(here("packages.zip")).then((reply) => reply.arrayBuffer());
  const lock = await (await fetch(here("pyodide-lock.json"))).json();
  const packages = Object.keys(lock.packages);
  const python = await load({ indexURL: here("."), packageBaseUrl: here("."), lockFileContents: lock, packages });
  self.fetch = fetchFile;
  python.FS.writeFile("/lib/packages.zip", new Uint8Array(await zip));
  python.runPython("import sys; sys.path.append('/lib/packages.zip')");
  python.runPython("import pyodide_kernel, course.learner.checking"); // the most of what a kernel and a notebook import
  python.runPython("sys.path[:] = filter(None, sys.path)"); // no module beside a notebook is imported by opening it
  return python;
}
const begun = begin();
begun.catch(() => {}); // the kernel is told, which asks for it

export async function loadPyodide({ stdout, stderr }) {
  const python = await begun;
  python.setStdout({ batched: stdout });
  python.setStderr({ batched: stderr });
  return python;
}
