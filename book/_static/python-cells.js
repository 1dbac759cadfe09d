// "Edit and run" at the cells of a page. What does it, `python/editor.js`, is loaded when somebody wants to edit, and on a
// page with blocks to practise in after all else; Python itself is loaded when code is run.
// A classic script, for a page that is opened as a file: it can say there why Python does not run.

{
const words = {
  edit: "Edit and run",
  cell: "Edit and run, cell {number}",
  file: "To edit and run the code of this page, serve the book with “make serve”: browsers run no Python on a page that is opened as a file.",
  browser: "To edit and run the code of this page you need a newer browser, which knows WebAssembly and workers.",
  lost: "The editor could not be loaded. Is the network within reach?",
};

const given = document.currentScript.dataset;
const cells = [...document.querySelectorAll("div.cell[id^='cell-']")];
const editable = cells.filter((cell) => cell.classList.contains("runs"));
const blocks = document.querySelectorAll(".practice");
const refusal = location.protocol === "file:" ? words.file : self.WebAssembly && self.Worker ? "" : words.browser;

const say = (text, place) => {
  const said = document.createElement("p");
  said.className = "python-refused";
  said.setAttribute("role", "status");
  place.after(said);
  said.textContent = text;
};

const isEdited = () => {
  try {
    return Boolean(localStorage.getItem(`evaluation-metrics.python.${given.page}`));
  } catch {
    return false; // storage that is closed keeps nothing
  }
};

let page;
const load = () => (page ??= import(new URL(given.editor, document.baseURI).href).then(({ start }) => start(given)));

if (refusal) {
  const first = blocks[0]?.querySelector(".practice-stub") ?? editable[0];
  if (first) say(refusal, first);
} else {
  for (const cell of editable) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "python-edit";
    button.textContent = words.edit;
    button.setAttribute("aria-label", words.cell.replace("{number}", cells.indexOf(cell) + 1));
    button.onclick = () => load().then(({ open }) => open(cell), () => {
      page = undefined;
      say(words.lost, cell);
    });
    cell.querySelector(".cell_input").append(button);
  }
  if (blocks.length || isEdited()) addEventListener("load", () => load().catch(() => say(words.lost, blocks[0] ?? editable[0])));
  globalThis.pythonInPage = load;
}
}
