// How Sphinx weighs what the search finds, with one thing more: a lesson comes before other pages that match as well.
var Scorer = {
  score: ([page, , , , score]) => score + (page.startsWith("book/lessons/") ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
