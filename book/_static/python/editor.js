// Editors in the place of cells, and in blocks where a reader practises: what is written there is kept and run.

import "../elements.js";

const words = {
  cell: "cell {number}",
  run: "Run",
  stop: "Stop",
  reset: "Reset",
  code: "Python code of {name}",
  keys: "Ctrl + Enter (⌘ + Enter) runs the code. Tab indents; Esc, then Tab leaves the editor.",
  busy: "Other code of this page is running: wait for it, or stop it.",
  loading: "Loading {what}, {all} MB, once.",
  loaded: "{now} of {all} MB",
  running: "Running.",
  done: "Done. It shows nothing.",
  stopped: "Stopped. The next run starts Python again.",
  endless: "Stopped: after {seconds} seconds Python was within a call that cannot be interrupted. The next run starts it again.",
  silent: "Stopped: nothing was heard of Python for {seconds} seconds. The next run starts it again.",
  failed: "Python does not run here: {why}. Either a file could not be loaded, or the browser is older than 2023.",
  noScript: "its script could not be loaded",
  line: "{text} (line {line})",
  lineAbove: "{text} (line {line} of a cell above)",
  above: "{text} (a cell above)",
  old: "The page has other code here since you edited yours. Reset shows it.",
  all: "All tests",
  passed: "Passed.",
  compare: "Show: {title}",
};
const LIMIT = 8; // seconds for each cell
const GRACE = 1.5; // seconds more before Python itself is ended
const MOST_MEMORY = 500e6; // bytes
const PASSED = "evaluation-metrics.passed";
const LONGEST_LOAD = 60; // seconds without a sign that Python is on its way

let given; // what the page says of itself: where everything is, and which of its cells run
const address = (path) => new URL(path, document.baseURI).href;
const megabytes = (bytes) => Math.round(bytes / 1e6);

// ---- Python in its worker -------------------------------------------------------------------------------------------

let worker;
let running; // what the worker is at: {tell, end, limit, timer}

const end = (result) => {
  const ended = running;
  running = undefined;
  clearTimeout(ended?.timer);
  ended?.end(result);
};

const quit = () => {
  worker?.terminate();
  worker = undefined;
};
const stop = (result) => {
  quit();
  end(result);
};

const begin = () => {
  const own = new Worker(address(given.worker), { type: "module" });
  worker = own;
  own.onerror = (event) => own === worker && stop({ failed: event.message || words.noScript });
  own.onmessage = ({ data }) => {
    if (own !== worker || !running) return;
    if (data.heap > MOST_MEMORY) quit(); // it gives back none
    if (data.done) end(data);
    else if (data.failed) stop(data);
    else {
      // Python ends a cell in time; within a call that it cannot interrupt, only the end of the worker does.
      const inCell = "cell" in data;
      wait(inCell ? running.limit + GRACE : LONGEST_LOAD, inCell ? words.endless : words.silent);
      running.tell(data.received);
    }
  };
};

const wait = (seconds, why) => {
  clearTimeout(running.timer);
  running.timer = setTimeout(() => stop({ stopped: fill(why, { seconds }) }), 1000 * seconds);
};

// Run the cells in their order, in a fresh namespace, up to the first that fails.
// The result: {done: {cells: [{out, error}, ...], passed}, heap}, {stopped: words} or {failed: words}.
const run = (cells, { limit = LIMIT, files = JSON.parse(given.files), tell = () => {} } = {}) =>
  new Promise((resolve) => {
    if (!worker) begin();
    running = { tell, end: resolve, limit };
    wait(LONGEST_LOAD, words.silent);
    const data = files.map((name) => ({ name, address: address(`${given.folder}/${name}`) }));
    const sqlite = given.sqlite && address(given.sqlite);
    worker.postMessage({ wheels: JSON.parse(given.wheels).map(address), files: data, cells, limit, sqlite });
  });

// Python is on its way as soon as somebody is in an editor, for as long as nothing else runs.
let warming;
let isTaken = false; // by an editor that waits for it, or runs
let tellWarming = () => {};
const warm = () => {
  if (worker || running) return;
  warming = run([], { files: [], tell: (received) => tellWarming(received) }).finally(() => {
    warming = undefined;
  });
};

// ---- what a reader wrote --------------------------------------------------------------------------------------------

let edits = {}; // by the id of a cell or a block
const keyOf = () => `evaluation-metrics.python.${given.page}`;

const readEdits = () => {
  try {
    edits = JSON.parse(localStorage.getItem(keyOf())) ?? {};
  } catch {} // storage that is closed or spoilt keeps nothing; all else works
};

// The edit of a cell, {text, of: the text of the page that was edited}; undefined forgets it.
const keep = (id, edit) => {
  edits[id] = edit;
  try {
    if (Object.values(edits).some(Boolean)) localStorage.setItem(keyOf(), JSON.stringify(edits));
    else localStorage.removeItem(keyOf());
  } catch {}
};

// ---- an editor ------------------------------------------------------------------------------------------------------

const textOf = (pre) => pre.textContent.replace(/\n$/, "");

// What code is written in: a text area, which an editor with colours takes the place of when somebody goes there. Where that
// cannot be loaded, the text area does as well.
const codeArea = ({ id, text, label, changed, run }) => {
  const attributes = {
    "aria-label": label, "aria-describedby": `keys-${id}`, autocapitalize: "off", autocorrect: "off", spellcheck: "false",
  };
  const area = element("textarea", { className: "python-code", value: text, wrap: "off", autocomplete: "off", ...attributes });
  const node = element("div", { className: "python-code-area" }, area);
  let view;
  const resize = () => {
    area.rows = area.value.split("\n").length;
  };
  area.oninput = () => {
    resize();
    changed();
  };
  area.onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  };
  const upgrade = async () => {
    warm();
    const { codeMirror } = await import("../editor/codemirror.js").catch(() => ({}));
    if (!codeMirror || view) return;
    const [anchor, head] = [area.selectionStart, area.selectionEnd];
    const language = id.endsWith("-sql") ? "sql" : "python";
    view = codeMirror({ text: area.value, anchor, head, language, attributes, changed, run });
    const isHere = document.activeElement === area;
    area.replaceWith(view.dom);
    if (isHere) view.focus();
  };
  area.addEventListener("focus", upgrade);
  resize();
  return {
    node,
    focus: () => (view ?? area).focus(),
    get value() {
      return view ? view.state.doc.toString() : area.value;
    },
    set value(text) {
      if (view) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      else area.value = text;
      resize();
    },
  };
};

const scrollable = (text) => element("pre", { className: "python-out", tabIndex: 0 }, text.trimEnd());

// `around` gives the texts to run before the reader's and after it, `show` what to show of the results of those after.
const editor = ({ id, text, name, label, around, show, reset }) => {
  const area = codeArea({
    id,
    text: edits[id]?.text ?? text,
    label: fill(words.code, { name }),
    changed: () => keep(id, area.value === text ? undefined : { text: area.value, of: text }),
    run: () => start(),
  });
  const said = element("div", { className: "python-said", role: "status" });
  const amount = element("span");
  const bar = element("progress");
  const loading = element("label", { className: "python-loading", hidden: true }, bar, amount);
  const say = (text, ...more) => said.replaceChildren(...more, ...(text ? [element("p", {}, text)] : []));
  let isMine = false; // what runs

  const tell = (received) => {
    if (received === undefined) {
      loading.hidden = true;
      if (said.textContent !== words.running) say(words.running);
    } else {
      bar.value = received;
      amount.textContent = fill(words.loaded, { now: megabytes(received), all: megabytes(bar.max) });
    }
  };

  const showResult = ({ cells, passed }, own) => {
    const { error } = cells.at(-1);
    const out = cells[own]?.out;
    const parts = [...(out ? [scrollable(out)] : []), ...show(error ? [] : cells.slice(own + 1), passed)];
    said.classList.toggle("is-wrong", Boolean(error));
    if (!error) return say(parts.length ? "" : words.done, ...parts);
    const place = error.cell < own ? (error.line ? words.lineAbove : words.above) : words.line;
    return say(fill(error.cell > own || (error.cell === own && !error.line) ? "{text}" : place, error), ...parts);
  };

  const start = async () => {
    const coming = warming;
    if (isTaken || (running && !coming)) {
      if (!isMine) say(words.busy);
      return;
    }
    const [before, after] = around();
    isTaken = isMine = runs.disabled = true;
    stops.disabled = false;
    said.classList.remove("is-wrong");
    const texts = [...before, area.value, ...after];
    if (!worker || coming) {
      const what = given.sqlite ? "Python and SQLite" : "Python";
      say(fill(words.loading, { what, all: megabytes(given.size) }));
      bar.max = given.size;
      tell(0);
      loading.hidden = false;
    }
    tellWarming = tell;
    const first = coming ? await coming : {};
    tellWarming = () => {};
    const result = first.stopped || first.failed ? first : await run(texts, { tell });
    if (document.activeElement === stops) area.focus();
    loading.hidden = stops.disabled = true;
    isTaken = isMine = runs.disabled = false;
    if (result.done) showResult(result.done, before.length);
    else say(result.stopped ?? fill(words.failed, { why: result.failed }));
  };

  const runs = button(label, start);
  const stops = button(words.stop, () => stop({ stopped: words.stopped }), { disabled: true });
  const resets = button(words.reset, () => {
    if (isMine || !running) stop({ stopped: words.stopped }); // nothing is left of what was run
    keep(id);
    area.value = text;
    say("");
    reset();
  });

  if (edits[id] && edits[id].of !== text) say(words.old);
  const keys = element("p", { className: "python-keys", id: `keys-${id}` }, words.keys);
  const buttons = element("div", { className: "python-buttons" }, runs, stops, resets);
  return { area, node: element("div", { className: "python" }, area.node, keys, buttons, loading, said) };
};

// ---- cells ----------------------------------------------------------------------------------------------------------

let cells = [];

// The lines of a cell that need what is not there, such as those that draw, are left out.
const readCells = () => {
  cells = Object.entries(JSON.parse(given.cells)).map(([id, leftOut], place) => {
    const node = document.getElementById(`cell-${id}`);
    const text = textOf(node.querySelector(".cell_input pre"));
    const isOut = (_, at) => leftOut.some(([first, last]) => first <= at + 1 && at + 1 <= last);
    const lines = text.split("\n").map((line, at) => (isOut(line, at) ? "" : line));
    return { id, node, text, source: lines.join("\n"), name: fill(words.cell, { number: place + 1 }) };
  });
};

const above = (node) =>
  cells
    .filter((cell) => cell.node.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)
    .map((cell) => cell.area?.value ?? cell.source);

// An editor takes the place of a cell, until it is reset.
const open = (cell) => {
  const [input, output] = [".cell_input", ".cell_output"].map((part) => cell.node.querySelector(part));
  const { node, area } = editor({
    ...cell,
    label: words.run,
    around: () => [above(cell.node), []],
    show: () => {
      if (output) output.hidden = true;
      return [];
    },
    reset: () => {
      node.remove();
      cell.area = undefined;
      input.hidden = false;
      if (output) output.hidden = false;
      input.querySelector(".python-edit").focus();
    },
  });
  cell.area = area;
  input.hidden = true;
  input.after(node);
};

// ---- practice -------------------------------------------------------------------------------------------------------

// The exercises that were passed, each with the day.
const rememberPassed = (id) => {
  try {
    const passed = JSON.parse(localStorage.getItem(PASSED)) ?? {};
    localStorage.setItem(PASSED, JSON.stringify({ ...passed, [id]: new Date().toLocaleDateString("en-CA") }));
  } catch {}
};

const practise = (block) => {
  const { id, check, run: label } = block.dataset;
  const stub = block.querySelector(".practice-stub");
  const solutions = [...document.querySelectorAll("details.practice-solution")];
  const solution = solutions.find((one) => block.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const show = ([report], passed) => {
    block.classList.toggle("is-passed", passed);
    if (!report) return [];
    const [first, rest] = report.out.split(/^----\n/m);
    const parts = [scrollable(first)];
    if (rest) parts.push(element("details", {}, element("summary", {}, words.all), scrollable(rest)));
    if (passed) {
      rememberPassed(id);
      parts.push(element("p", { className: "python-passed" }, words.passed));
    }
    if (passed && solution) {
      const title = solution.querySelector("summary");
      parts.push(button(fill(words.compare, { title: title.textContent.trim() }), () => {
        solution.open = true;
        title.focus();
      }));
    }
    return parts;
  };
  const { node } = editor({
    id,
    text: textOf(stub),
    name: id,
    label,
    around: () => [[], [check]],
    show,
    reset: () => block.classList.remove("is-passed"),
  });
  stub.hidden = true;
  stub.after(node);
};

// ---- the page -------------------------------------------------------------------------------------------------------

export const start = (dataset) => {
  given = dataset;
  readEdits();
  readCells();
  cells.filter(({ id }) => edits[id]).forEach(open);
  document.querySelectorAll(".practice").forEach(practise);
  return {
    run,
    cells,
    open: (node) => {
      const cell = cells.find((one) => one.node === node);
      if (!cell.area) open(cell);
      cell.area.focus();
    },
  };
};
