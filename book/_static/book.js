// What scrolls sideways must be reachable by keyboard; whether it scrolls depends on the width of the window.
const scrollers = ".katex-display, .pst-scrollable-table-container, .cell_output .output, .highlight pre";
const markScrollers = () =>
  document.querySelectorAll(scrollers).forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
window.addEventListener("load", markScrollers);
window.addEventListener("resize", markScrollers);
// A link to something that is folded unfolds it, in browsers that do not do so themselves, too.
const unfold = () => {
  const target = document.querySelector("details :target");
  const folded = target?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView();
};
window.addEventListener("load", unfold);
window.addEventListener("hashchange", unfold);
