// What scrolls sideways must be reachable by keyboard; whether it scrolls depends on the width of the window.
const scrollers = ".katex-display, .pst-scrollable-table-container, .cell_output .output, .highlight pre";
// It fades at the edge beyond which there is more. All is measured before anything changes.
const markEdges = ([box, hidden, from]) => {
  if (hidden > 0) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
  box.classList.toggle("has-more", hidden - from > 4);
  box.classList.toggle("has-less", from > 4);
};
const extentOf = (box) => [box, box.scrollWidth - box.clientWidth, box.scrollLeft];
const markScrollers = () => [...document.querySelectorAll(scrollers)].map(extentOf).forEach(markEdges);
const markScrolled = ({ target }) => target.matches?.(scrollers) && markEdges(extentOf(target));
document.addEventListener("scroll", markScrolled, { capture: true, passive: true });
document.addEventListener("toggle", markScrollers, true);
window.addEventListener("load", markScrollers);
window.addEventListener("resize", markScrollers);
// A link to something that is folded unfolds it, in browsers that do not do so themselves, too.
const unfold = () => {
  const target = document.querySelector("details :target, details:target > summary, :target > details > summary");
  const folded = target?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView();
};
window.addEventListener("load", unfold);
window.addEventListener("hashchange", unfold);
document.querySelectorAll("[data-print]").forEach((button) => button.addEventListener("click", () => print()));
// Lets the reader save a text as a file.
const saveAs = (name, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
// A notebook is told on its way where it comes from, so that its first cell can install the packages and fetch the data from
// there. A page that was opened from a file offers the archive alone.
const source = document.querySelector("a.btn-download-source-button[href$='.ipynb']");
if (source && location.protocol === "file:") source.closest("li").remove();
source?.addEventListener("click", async (event) => {
  event.preventDefault();
  const notebook = await (await fetch(source.href)).text();
  const root = new URL(`${document.documentElement.dataset.content_root}notebooks`, location.href);
  const told = notebook.replace(/site = \\"[^"]*\\"/, () => `site = \\"${root.href}\\"`);
  saveAs(source.pathname.split("/").pop(), told);
});
