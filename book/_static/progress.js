// Marks the exercises that were passed in this browser, and moves all that it keeps to another one by a file.
const PREFIX = "evaluation-metrics.";
const passed = kept(`${PREFIX}passed`);
const links = [...document.querySelectorAll(".exercise-list li > p > a, .exercise-list li > a")];
const idOf = (link) => link.hash.replace("#interview-exercise-", "");
links.forEach((link) => {
  const day = passed[idOf(link)];
  if (typeof day === "string") link.after(element("span", { className: "is-passed" }, ` ✓ passed on ${day}`));
});
const next = links.find((link) => !passed[idOf(link)]);
const done = links.filter((link) => passed[idOf(link)]).length;

const save = () => {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const text = JSON.stringify(Object.fromEntries(keys.map((key) => [key, localStorage.getItem(key)])), null, 1);
  saveAs("evaluation-metrics-progress.json", text);
};

// What a file holds takes the place of what this browser has under the same names; anything else in it is refused.
const load = async () => {
  try {
    const read = JSON.parse(await file.files[0].text());
    const entries = Object.entries(read);
    if (!isRecord(read) || !entries.length) throw new Error();
    if (!entries.every(([key, value]) => key.startsWith(PREFIX) && isRecord(JSON.parse(value)))) throw new Error();
    entries.forEach(([key, value]) => localStorage.setItem(key, value));
    location.reload();
  } catch {
    said.textContent = "This file was not saved by this page, or the browser keeps nothing. Nothing has changed.";
  }
};

const said = element("p", { role: "status" }, `${done} of ${counted(links.length, "exercise")} passed.`);
if (next) said.append(" Next: ", next.cloneNode(true), ".");
const file = element("input", { type: "file", accept: "application/json", hidden: true, onchange: load });
document.getElementById("progress").append(
  said,
  button("Save my progress to a file", save),
  button("Load a file", () => file.click()),
  file,
);
