// Runs a Python script in Pyodide, with all packages of a site: node pyodide.mjs FOLDER SCRIPT INPUT
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [folder, script, input] = process.argv.slice(2);
const program = `${folder}/pyodide.asm.wasm`; // sites have it packed, and early.mjs unpacks it
writeFileSync(program, gunzipSync(readFileSync(`${program}.packed`)));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const lock = JSON.parse(readFileSync(`${folder}/pyodide-lock.json`, "utf8"));
const python = await loadPyodide({
  indexURL: `${folder}/`,
  packageBaseUrl: `${folder}/`,
  lockFileContents: lock,
  packages: Object.keys(lock.packages),
});
python.FS.writeFile("/lib/packages.zip", readFileSync(`${folder}/packages.zip`));
python.runPython("import sys; sys.path.append('/lib/packages.zip')");
python.FS.writeFile("input.json", readFileSync(input, "utf8"));
python.runPython(readFileSync(script, "utf8"), { globals: python.toPy({ __name__: "inside" }) });
