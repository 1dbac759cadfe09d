// How Sphinx weighs what the search finds, with two things more: a page comes before others by each typed word that is one of
// its names, most of all where all are, and a lesson before other pages that match as well.
const pageNames = JSON.parse(document.getElementById("search-words")?.textContent ?? '{"names": {}}').names;
var Scorer = {
  score: ([page, , anchor, , score]) => {
    const asked = splitQuery(Scorer.query ?? new URLSearchParams(location.search).get("q") ?? "");
    const names = anchor ? [] : (pageNames[page] ?? []);
    const named = asked.filter((word) => names.includes(word.toLowerCase())).length;
    const all = named && named === asked.length ? 60 : 0;
    return score + 15 * named + all + (page.startsWith("book/lessons/") ? 20 : 0);
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
