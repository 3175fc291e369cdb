// Python as kernels load it. It begins to load once this is imported, and waits for the kernel that asks for it.
import { loadPyodide as load } from "./pyodide.mjs";

const here = (name) => new URL(name, import.meta.url).href;

async function begin() {
  const lock = await (await fetch(here("pyodide-lock.json"))).json();
  const packages = Object.keys(lock.packages);
  const python = await load({ indexURL: here("."), packageBaseUrl: here("."), lockFileContents: lock, packages });
  python.runPython("import pyodide_kernel, course.learner.checking, sys"); // the most of what a kernel and a notebook import
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
