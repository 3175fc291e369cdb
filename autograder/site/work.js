// A learner's work in this browser: saved as one file, loaded from one, and carried over into newer notebooks.

/** @typedef {{ cell_type: string, id?: string, source: string | string[], execution_count?: number | null, metadata?: any }} Cell */
/** @typedef {{ cells: Cell[], metadata?: any }} Notebook */
/** @typedef {{ name: string, path: string, type: string, content: any, last_modified: string }} Entry */

const FORMAT = 1;
const FILES = "files";

/** @param {Cell} cell */
const sourceOf = (cell) => [cell.source].flat().join("");

/** @param {Cell} cell */
const nameOf = (cell) => cell.metadata?.nbgrader?.grade_id ?? cell.id;

/**
 * The cells that a learner has written or changed: answers, other cells of code, and the learner's own ones.
 * @param {Notebook} notebook
 * @returns {Set<Cell>}
 */
function writtenIn(notebook) {
  const isKnown = notebook.cells.some((cell) => cell?.metadata?.foldem?.given !== undefined); // earlier sites don't say it
  /** @param {Cell} cell */
  const isWritten = (cell) => {
    const { foldem, nbgrader } = cell?.metadata ?? {};
    if (nbgrader ? !nbgrader.solution : cell?.cell_type !== "code" || !isKnown) return false;
    return sourceOf(cell).trim() !== String(foldem?.given ?? foldem?.stub ?? "").trim();
  };
  return new Set(notebook.cells.filter(isWritten));
}

/**
 * Put what a learner has written in an older notebook into a newer one. A cell that the newer one lacks, such as a
 * helper or the second half of a split cell, goes below the cell that it was below.
 * @param {Notebook} older
 * @param {Notebook} newer
 */
function carryInto(older, newer) {
  const written = writtenIn(older);
  const free = new Map(newer.cells.map((cell) => [nameOf(cell), cell]));
  let place = 0;
  for (const cell of older.cells.filter(Boolean)) {
    const at = newer.cells.findLastIndex((each) => nameOf(each) === nameOf(cell));
    if (at >= 0) place = at + 1;
    if (!written.has(cell)) continue;
    const there = free.get(nameOf(cell));
    if (there) there.source = cell.source;
    else if (at >= 0 || !cell.metadata?.nbgrader) {
      const id = at < 0 ? cell.id : `${cell.id}-${place}`; // each id occurs once
      newer.cells.splice(place++, 0, { ...cell, id });
    }
    free.delete(nameOf(cell));
  }
}

/**
 * What a request to the database answers.
 * @param {IDBRequest} asked
 * @returns {Promise<any>}
 */
const done = (asked) =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

/**
 * Open the database of JupyterLite's files. It is made if there is none, as on a new computer.
 * @param {string} name
 * @param {number} [version]
 * @returns {Promise<IDBDatabase>}
 */
async function openFiles(name, version) {
  const asked = window.indexedDB.open(name, version);
  asked.onupgradeneeded = () => {
    if (!asked.result.objectStoreNames.contains(FILES)) asked.result.createObjectStore(FILES);
  };
  const database = await done(asked);
  if (database.objectStoreNames.contains(FILES)) return database;
  database.close();
  return openFiles(name, database.version + 1);
}

/**
 * A path for a copy that no other file has: "0_warmup (before the update).ipynb".
 * @param {string} path
 * @param {string} why
 * @param {string[]} taken
 */
function copyPath(path, why, taken) {
  const suffix = path.match(/\.[^./]*$/)?.[0] ?? "";
  const stem = path.slice(0, path.length - suffix.length);
  for (let count = 1; ; count++) {
    const free = `${stem} (${why}${count > 1 ? ` ${count}` : ""})${suffix}`;
    if (!taken.includes(free)) return free;
  }
}

/**
 * Replace a file, and keep the one that was there.
 * @param {IDBDatabase} database
 * @param {Entry} before
 * @param {Entry} after
 * @param {string} why
 * @returns {Promise<string>} the path of the copy
 */
async function replaceAndKeep(database, before, after, why) {
  const store = database.transaction(FILES, "readwrite").objectStore(FILES);
  const copy = copyPath(before.path, why, await done(store.getAllKeys()));
  store.put({ ...before, path: copy, name: copy.split("/").pop() }, copy);
  await done(store.put(after, before.path));
  return copy;
}

/**
 * Carry the answers of a notebook over into the site's version of it, if that is another one.
 * @param {IDBDatabase} database
 * @param {string} path
 * @param {string} stamp of the site's version
 * @returns {Promise<string>} the path of a copy of the earlier notebook, or "" if nothing changed
 */
async function carryOver(database, path, stamp) {
  const entry = await done(database.transaction(FILES).objectStore(FILES).get(path));
  if (!Array.isArray(entry?.content?.cells) || entry.content.metadata?.foldem?.site === stamp) return "";
  const response = await fetch(`files/${encodeURI(path)}`, { cache: "no-cache" });
  if (!response.ok) return "";
  const newer = await response.json();
  if (newer.metadata?.foldem?.site !== stamp) return ""; // a site that is being published: the next visit will do
  carryInto(entry.content, newer);
  const after = { ...entry, content: newer, last_modified: new Date().toISOString() };
  return replaceAndKeep(database, entry, after, "before the update");
}

/**
 * All files of the learner, as the text of one file.
 * @param {IDBDatabase} database
 */
async function packed(database) {
  const files = await done(database.transaction(FILES).objectStore(FILES).getAll());
  return JSON.stringify({ foldem: FORMAT, saved: new Date().toISOString(), files });
}

/**
 * The text of a file in any format in which JupyterLite opens it as a notebook.
 * @param {any} file
 */
function textOf({ content, format }) {
  if (content?.cells) return JSON.stringify(content);
  if (format !== "base64") return String(content);
  return new TextDecoder().decode(Uint8Array.from(window.atob(content), (char) => char.charCodeAt(0)));
}

/**
 * Mark the outputs of a notebook as untrusted: it may be a stranger's, and JupyterLite would run their scripts.
 * @param {any} file
 */
function distrust(file) {
  try {
    const notebook = JSON.parse(textOf(file), (key, value) => (key === "trusted" ? undefined : value));
    if (notebook.cells) Object.assign(file, { content: notebook, format: "json" });
  } catch {} // it is no notebook
}

/**
 * The files in the text of a saved file. Throws an error if it is no such text.
 * @param {string} text
 * @returns {Entry[]}
 */
function unpacked(text) {
  const { foldem, files } = JSON.parse(text);
  /** @param {Entry} file */
  const isFile = (file) => typeof file?.path === "string" && typeof file.name === "string" && "content" in file;
  if (foldem !== FORMAT || !Array.isArray(files) || !files.every(isFile)) throw new Error("not saved here");
  files.forEach(distrust);
  return files;
}

/**
 * Put saved files into this browser. A file that is there and differs is kept beside the loaded one, except progress.
 * @param {IDBDatabase} database
 * @param {string} text
 * @returns {Promise<string[]>} the paths of the kept files
 */
async function loadInto(database, text) {
  const kept = [];
  for (const entry of unpacked(text)) {
    const there = await done(database.transaction(FILES).objectStore(FILES).get(entry.path));
    const isOther = there && JSON.stringify(there.content) !== JSON.stringify(entry.content);
    if (isOther && !/(^|\/)\.foldem\//.test(entry.path)) kept.push(await replaceAndKeep(database, there, entry, "before loading"));
    else await done(database.transaction(FILES, "readwrite").objectStore(FILES).put(entry, entry.path));
  }
  return kept;
}

Object.assign(window, { foldemWork: { done, openFiles, carryOver, packed, loadInto } });
