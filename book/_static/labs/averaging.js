// A lab: a confusion matrix of three classes; precision, recall and F1 of each, and the averages of these.

{
const { sum, fill, element, formula, row, table, make } = labs;
const NAMES = ["A", "B", "C"];
const HIGHEST = 99; // of a cell

// "45-10-5.5-22-3.0-1-9": the rows of the matrix, one for each true class.
const parse = (text) => {
  if (!/^\d\d?-\d\d?-\d\d?(\.\d\d?-\d\d?-\d\d?){2}$/.test(text)) return null;
  const rows = text.split(".").map((line) => line.split("-").map(Number));
  return sum(rows.flat()) ? rows : null;
};
const written = (rows) => rows.map((counts) => counts.join("-")).join(".");

// A class without the cases for a value, 0 / 0, is undefined, which is NaN here; in an average it counts as 0.
const evaluate = (rows) => {
  const hits = rows.map((counts, i) => counts[i]);
  const actual = rows.map(sum);
  const called = NAMES.map((_, i) => sum(rows.map((counts) => counts[i])));
  const size = sum(actual);
  const ofClasses = {
    precision: hits.map((hit, i) => [hit, called[i]]),
    recall: hits.map((hit, i) => [hit, actual[i]]),
    f1: hits.map((hit, i) => [2 * hit, called[i] + actual[i]]),
  };
  const values = {};
  const terms = { accuracy: [sum(hits), size] };
  for (const [name, pairs] of Object.entries(ofClasses)) {
    values[name] = pairs.map(([up, down]) => up / down);
    const counted = values[name].map((value) => value || 0);
    terms[`micro_${name}`] = [0, 1].map((part) => sum(pairs.map((pair) => pair[part])));
    terms[`macro_${name}`] = [sum(counted), counted.length];
    terms[`weighted_${name}`] = [sum(counted.map((value, i) => value * actual[i])), size];
  }
  for (const [name, [up, down]] of Object.entries(terms)) values[name] = up / down;
  const [precision, recall] = [values.macro_precision, values.macro_recall];
  values.f1_of_means = 0; // where both means are 0
  if (precision + recall) {
    terms.f1_of_means = [2 * precision * recall, precision + recall];
    values.f1_of_means = (2 * precision * recall) / (precision + recall);
  }
  return { ...values, terms, ofClasses };
};

const build = ({ words, shown, change, button, status, comparison, state }) => {
  const nameOf = (i, j) => fill(words.cell, { actual: NAMES[i], called: NAMES[j] });

  const set = (i, j, count) => {
    const next = state().map((counts, k) => counts.map((old, l) => (k === i && l === j ? count : old)));
    change(next, fill(words.said_cell, { name: nameOf(i, j), value: count }));
  };

  const inputs = NAMES.map((_, i) => NAMES.map((_, j) => {
    const input = element("input", { type: "number", min: 0, max: HIGHEST, step: 1, "aria-label": nameOf(i, j) });
    input.oninput = () => input.value && input.validity.valid && set(i, j, Number(input.value));
    input.onchange = () => { input.value = state()[i][j]; };
    return input;
  }));
  const cell = (i, j) => {
    const step = (text, label, by) => {
      const node = button(text, () => set(i, j, Math.min(Math.max(state()[i][j] + by, 0), HIGHEST)));
      node.tabIndex = -1; // the keys of the field do the same
      node.setAttribute("aria-label", fill(label, { name: nameOf(i, j) }));
      return node;
    };
    const steps = [step("−", words.less, -1), step("+", words.more, 1)];
    return element("div", { className: "lab-count" }, inputs[i][j], ...steps);
  };
  const rows = NAMES.map((name, i) => row(fill(words.actual, { name }), ...NAMES.map((_, j) => cell(i, j))));
  const called = NAMES.map((name) => fill(words.called, { name }));
  const matrix = table(words.matrix, [words.class, ...called], element("tbody", {}, ...rows));
  matrix.className = "lab-matrix";
  const body = element("tbody");

  const show = (now, values) => {
    inputs.flat().forEach((input, place) => {
      const [i, j] = [Math.floor(place / 3), place % 3];
      if (Number(input.value) !== now[i][j] || !input.value) input.value = now[i][j];
      input.closest("td").style.setProperty("--share", now[i][j] / sum(now[i]) || 0);
    });
    const heads = Object.keys(values.ofClasses);
    const inClass = (head, i) => {
      const [up, down] = values.ofClasses[head][i];
      return [element("div", { className: "lab-terms" }, formula(up, "/", down)), shown(values[head][i])];
    };
    const ofMean = (mean) => row(words[mean], ...heads.map((head) => shown(values[`${mean}_${head}`])));
    body.replaceChildren(
      ...NAMES.map((name, i) => row(fill(words.actual, { name }), ...heads.map((head) => inClass(head, i)))),
      ...["micro", "macro", "weighted"].map(ofMean),
    );
  };

  const nodes = [
    element("div", { className: "lab-pair" }, matrix,
      table(words.values, [words.class, words.precision, words.recall, words.f1], body)),
    element("p", { className: "lab-legend" }, words.legend), status, comparison,
  ];
  return { nodes, show };
};

make("averaging", { parse, written, evaluate, build });
}
