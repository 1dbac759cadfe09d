// How Sphinx weighs what the search finds, with two things more: a page comes before others by its longest name that was typed,
// by each word of its names, and most of all where every word is of its names; and a lesson before others that match as well.
const pageNames = JSON.parse(document.getElementById("search-words")?.textContent ?? '{"names": {}}').names;
const namesOf = (page) => {
  if (typeof pageNames[page]?.[0] === "string") pageNames[page] = pageNames[page].map(splitQuery);
  return pageNames[page] ?? [];
};
var Scorer = {
  score: ([page, , anchor, , score]) => {
    const asked = splitQuery((Scorer.query ?? new URLSearchParams(location.search).get("q") ?? "").toLowerCase());
    const names = anchor ? [] : namesOf(page);
    const named = asked.filter((word) => names.flat().includes(word)).length;
    const typed = names.filter((name) => name.every((word) => asked.includes(word)));
    const whole = Math.max(0, ...typed.map(({ length }) => length));
    const all = named && named === asked.length ? 60 : 0;
    return score + 15 * named + 30 * whole + all + (page.startsWith("book/lessons/") ? 20 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
