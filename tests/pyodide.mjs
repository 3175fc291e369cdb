// Runs a Python script in Pyodide, with all packages of a site: node pyodide.mjs FOLDER SCRIPT INPUT
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, script, input] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const lock = JSON.parse(readFileSync(`${folder}/pyodide-lock.json`, "utf8"));
const python = await loadPyodide({
  indexURL: `${folder}/`,
  packageBaseUrl: `${folder}/`,
  lockFileContents: lock,
  packages: Object.keys(lock.packages),
});
python.FS.writeFile("input.json", readFileSync(input, "utf8"));
python.runPython(readFileSync(script, "utf8"), { globals: python.toPy({ __name__: "inside" }) });
