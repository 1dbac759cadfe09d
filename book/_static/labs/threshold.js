// A lab: the scores of two classes cut by a threshold; the four cells and the point on both curves follow.

{
const { fixed, sum, pairs, fromLetters, toLetters, fill, element, svg, row, table, place, pointed, make } = labs;
const HIGHEST = 10; // scores are tenths
const CUTS = [...Array(HIGHEST + 2).keys()]; // one below each score, one above all
const COSTS = ["10-1", "5-1", "2-1", "1-1", "1-2", "1-5", "1-10", "1-20"]; // of a false alarm and of a miss
const COLUMN = 100 / (HIGHEST + 1); // of the strip, in percent

// "KJhb.6.4.1-1": the dots, the lowest score that is called positive, how many negatives each ring is, the costs.
const parse = (text) => {
  const parts = /^([a-k]{1,24})\.(\d+)\.(\d+)\.(\d+-\d+)$/i.exec(text);
  if (!parts) return null;
  const [cut, weight] = parts.slice(2).map(Number);
  if (cut > HIGHEST + 1 || weight < 1 || weight > 20 || !COSTS.includes(parts[4])) return null;
  return { items: fromLetters(parts[1]), cut, weight, cost: parts[4] };
};
const written = ({ items, cut, weight, cost }) => [toLetters(items), cut, weight, cost].join(".");

const cellsAt = ({ items, weight }, cut) => {
  const count = (positive, called) =>
    items.filter((item) => item.positive === positive && item.score >= cut === called).length;
  return {
    tp: count(true, true), fn: count(true, false), fp: weight * count(false, true), tn: weight * count(false, false),
  };
};

// Each rate with the two numbers of its fraction; undefined is NaN, which is 0 / 0 here, too.
const evaluate = (state) => {
  const [alarm, miss] = state.cost.split("-").map(Number);
  const all = CUTS.map((cut) => cellsAt(state, cut));
  const cells = all[state.cut];
  const { tp, fp, fn, tn } = cells;
  const [positives, negatives, size] = [tp + fn, fp + tn, tp + fp + fn + tn];
  const terms = {
    prevalence: [positives, size], accuracy: [tp + tn, size], precision: [tp, tp + fp], recall: [tp, positives],
    fpr: [fp, negatives], f1: [2 * tp, 2 * tp + fp + fn], cost: [alarm * fp + miss * fn, size], auc: pairs(state.items),
  };
  const values = Object.fromEntries(Object.entries(terms).map(([name, [up, down]]) => [name, up / down]));
  const totals = all.map((cell) => alarm * cell.fp + miss * cell.fn);
  const falling = [...all].reverse();
  const pr = falling.map((cell) => [cell.tp / positives, cell.tp / (cell.tp + cell.fp)]);
  const steps = pr.map(([recall, precision], i) => {
    const gained = i && recall - pr[i - 1][0];
    return gained ? gained * precision : 0;
  });
  return {
    ...cells, ...values, terms, pr,
    ap: positives ? sum(steps) : Number.NaN,
    costs: totals.map((total) => total / size),
    best: CUTS.filter((cut) => totals[cut] === Math.min(...totals)),
    roc: falling.map((cell) => [cell.fp / negatives, cell.tp / positives]),
  };
};

// ---- the two curves -------------------------------------------------------------------------------------------------

const line = (points) =>
  points.filter((point) => !point.some(Number.isNaN)).map(([x, y]) => `${100 * x},${100 - 100 * y}`).join(" ");

// Precision is that of a step up to its recall.
const stairs = (points) =>
  points.flatMap(([recall, precision], i) => (i ? [[points[i - 1][0], precision], [recall, precision]] : []));

const square = (title, right, up) => {
  const lines = ["lab-chance", "lab-before", "lab-curve"].map((name) => svg("polyline", { class: name }));
  const point = svg("circle", { class: "lab-point", r: 3.5 });
  const picture = svg("svg", { viewBox: "-5 -5 110 110", role: "img" },
    svg("path", { class: "lab-grid", d: "M0 0H100V100H0ZM50 0V100M0 50H100" }), ...lines, point);
  const node = element("figure", { className: "lab-square" },
    element("figcaption", {}, title),
    element("div", { className: "lab-up" }, `↑ ${up}`), picture,
    element("div", { className: "lab-right" }, `${right} →`));
  const show = ([x, y], curves, says) => {
    lines.forEach((polyline, i) => polyline.setAttribute("points", line(curves[i])));
    point.setAttribute("cx", 100 * x || 0);
    point.setAttribute("cy", 100 - 100 * y || 0);
    point.classList.toggle("is-hidden", Number.isNaN(x + y));
    picture.setAttribute("aria-label", says);
  };
  return { node, show };
};

// ---- the lab --------------------------------------------------------------------------------------------------------

const build = ({ words, shown, change, draggable, slider, select, status, comparison, state }) => {
  const score = (value) => fixed(value / HIGHEST, 1);
  const nameOf = (items, which) => {
    const { positive } = items[which];
    const number = items.slice(0, which + 1).filter((item) => item.positive === positive).length;
    return fill(positive ? words.positive : words.negative, { number });
  };
  let chosen = 0;

  const set = (changes, said, value) => change({ ...state(), ...changes }, fill(said, { value }));
  const cutAt = (cut) => cut !== state().cut && set({ cut }, words.said_threshold, score(cut));
  const scoreAt = (value) => {
    const { items } = state();
    if (items[chosen].score === value) return;
    const moved = items.map((item, i) => (i === chosen ? { ...item, score: value } : item));
    change({ ...state(), items: moved }, fill(words.said_dot, { name: nameOf(items, chosen), value: score(value) }));
  };
  const choose = (which) => {
    chosen = which;
    showChosen(state());
  };

  const cut = slider(words.threshold, HIGHEST + 1, cutAt);
  const weight = slider(words.weight, 20, (value) => set({ weight: value }, words.said_weight, value), 1);
  const cost = select(words.cost, COSTS.map((each) => [each, words.costs[each]]), (value) =>
    set({ cost: value }, words.said_cost, words.costs[value]));
  const dot = select(words.dot, [], (value) => choose(Number(value)));
  const spot = slider(words.score, HIGHEST, scoreAt);

  const called = element("div", { className: "lab-called" });
  const dots = element("div", { className: "lab-dots" });
  const corners = ["fn", "tp", "tn", "fp"].map((name) => element("div", { className: `lab-corner is-${name}` }));
  const strip = element("div", { className: "lab-strip", role: "img", "aria-label": words.strip },
    called, ...corners, dots);
  const marks = CUTS.slice(0, -1).map((at) => element("span", {}, score(at)));
  const axis = element("div", { className: "lab-axis", "aria-hidden": "true" }, ...marks);
  const bars = CUTS.map((at) => element("span", { style: `left: ${at * COLUMN}%` }));
  const price = element("div", { className: "lab-costs", "aria-hidden": "true" }, ...bars);
  const best = element("p", { className: "lab-best" });
  cut.node.classList.add("lab-cut");

  draggable(strip, (event) => {
    const which = [...dots.children].indexOf(event.target);
    const follow = (moved) => {
      const at = Math.min(Math.max(pointed(strip, moved)[0], 0), 0.999) * (HIGHEST + 1);
      if (which < 0) cutAt(Math.round(at));
      else scoreAt(Math.floor(at));
    };
    if (which < 0) follow(event);
    else choose(which);
    return follow;
  });

  const cells = element("tbody");
  const roc = square(words.roc, words.fpr, words.recall);
  const pr = square(words.pr, words.recall, words.precision);

  const showChosen = ({ items }) => {
    dot.input.value = chosen;
    spot.set(items[chosen].score, score(items[chosen].score));
    [...dots.children].forEach((node, i) => node.classList.toggle("is-chosen", i === chosen));
  };

  const showStrip = ({ items, cut: from }) => {
    place(strip, items, HIGHEST + 1);
    const names = items.map((_, i) => nameOf(items, i));
    if (names.join() !== [...dot.input.options].map(({ text }) => text).join()) {
      dot.input.replaceChildren(...names.map((name, value) => element("option", { value }, name)));
      chosen = 0;
    }
    called.style.left = `${from * COLUMN}%`;
    showChosen({ items });
  };

  const show = (now, values, old, _, isShown) => {
    roc.node.hidden = !isShown("auc");
    pr.node.hidden = !isShown("ap");
    cost.node.hidden = best.hidden = price.hidden = !isShown("cost");
    cells.parentNode.nextSibling.hidden = dot.node.hidden = spot.node.hidden = !isShown("auc");
    const { tp, fp, fn, tn, best: cheapest } = values;
    showStrip(now);
    cut.set(now.cut, score(now.cut));
    weight.set(now.weight, String(now.weight));
    cost.input.value = now.cost;
    corners.forEach((corner, i) => { corner.textContent = `${["FN", "TP", "TN", "FP"][i]} ${[fn, tp, tn, fp][i]}`; });
    bars.forEach((bar, at) => {
      bar.style.height = `${(100 * values.costs[at]) / Math.max(...values.costs) || 0}%`;
      bar.className = cheapest.includes(at) ? "is-best" : "";
    });
    best.textContent = fill(words.best, { cuts: cheapest.map(score).join(", ") });
    cells.replaceChildren(row(words.is_positive, fn, tp), row(words.is_negative, tn, fp));
    const texts = Object.fromEntries(["fpr", "recall", "precision"].map((name) => [name, shown(values[name])]));
    roc.show([values.fpr, values.recall], [[[0, 0], [1, 1]], old.roc, values.roc], fill(words.roc_says, texts));
    const chance = [[0, values.prevalence], [1, values.prevalence]];
    const curves = [chance, stairs(old.pr), stairs(values.pr)];
    pr.show([values.recall, values.precision], curves, fill(words.pr_says, texts));
  };

  const nodes = [
    element("div", { className: "lab-picture" }, strip, axis, cut.node, price),
    best,
    element("div", { className: "lab-row" }, roc.node, pr.node,
      element("div", {}, table(words.cells, [words.class, words.called_negative, words.called_positive], cells),
        element("p", { className: "lab-legend" }, words.legend))),
    element("div", { className: "lab-controls" }, weight.node, cost.node, dot.node, spot.node),
    status, comparison,
  ];
  return { nodes, show };
};

make("threshold", { parse, written, evaluate, build });
}
