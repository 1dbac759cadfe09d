// A lab: the scores of three users on one axis; the AUC of each, their weighted mean, and the AUC of all in one heap.

{
const { sum, pairs, fromLetters, toLetters, fill, element, formula, row, table, place, pointed, make } = labs;
const HIGHEST = 20;
const NAMES = ["a", "b", "c"];

// "HGd.Lk.Rpn.111": the items of each user, and the weight of each.
const parse = (text) => {
  const parts = /^([a-u]{1,8})\.([a-u]{1,8})\.([a-u]{1,8})\.(\d{3})$/i.exec(text);
  return parts && { users: parts.slice(1, 4).map(fromLetters), own: [...parts[4]].map(Number) };
};
const written = ({ users, own }) => [...users.map(toLetters), own.join("")].join(".");

// Undefined is NaN, which is 0 / 0 here, too: a user with one class has no pairs, and no weight.
const evaluate = ({ users, own }) => {
  const counted = users.map(pairs);
  const aucs = counted.map(([won, all]) => won / all);
  const weights = {
    impressions: users.map((items) => items.length),
    clicks: users.map((items) => items.filter(({ positive }) => positive).length),
    uniform: users.map(() => 1),
    own,
  };
  const kept = NAMES.map((_, i) => i).filter((i) => counted[i][1]);
  const terms = { auc: pairs(users.flat()) };
  NAMES.forEach((name, i) => { terms[`auc_${name}`] = counted[i]; });
  for (const [name, weight] of Object.entries(weights))
    terms[`gauc_${name}`] = [sum(kept.map((i) => weight[i] * aucs[i])), sum(kept.map((i) => weight[i]))];
  const values = Object.fromEntries(Object.entries(terms).map(([name, [up, down]]) => [name, up / down]));
  return { ...values, terms, aucs, weights, kept };
};

const lowest = (items) => Math.min(...items.map(({ score }) => score));
const span = (items) => Math.max(...items.map(({ score }) => score)) - lowest(items);
const shifted = (items, by) => items.map((item) => ({ ...item, score: item.score + by }));

const build = ({ words, shown, change, draggable, slider, select, status, comparison, state }) => {
  const nameOf = (which) => fill(words.user, { name: "ABC"[which] });

  const startAt = (which, from) => {
    const { users } = state();
    const by = Math.min(Math.max(from, 0), HIGHEST - span(users[which])) - lowest(users[which]);
    if (!by) return;
    const moved = users.map((items, i) => (i === which ? shifted(items, by) : items));
    change({ ...state(), users: moved }, fill(words.said_shift, { user: nameOf(which), value: lowest(moved[which]) }));
  };

  const lane = (says, ...more) => {
    const dots = element("div", { className: "lab-dots" });
    const strip = element("div", { className: "lab-strip is-lane", role: "img", "aria-label": says }, dots);
    return { strip, node: element("div", { className: "lab-lane" }, ...more, strip) };
  };

  const lanes = NAMES.map((_, which) => {
    const from = slider(fill(words.from, { user: nameOf(which) }), HIGHEST, (value) => startAt(which, value));
    const { strip, node } = lane(fill(words.lane, { user: nameOf(which) }), from.node);
    draggable(strip, (event) => {
      const at = (moved) => Math.floor(pointed(strip, moved)[0] * (HIGHEST + 1));
      const [origin, start] = [at(event), lowest(state().users[which])];
      return (moved) => startAt(which, start + at(moved) - origin);
    });
    const weight = select("", [...Array(10).keys()].map((value) => [value, value]), (value) => {
      const own = state().own.map((old, i) => (i === which ? Number(value) : old));
      change({ ...state(), own }, fill(words.said_weight, { user: nameOf(which), value }));
    }).input;
    weight.setAttribute("aria-label", fill(words.weight, { user: nameOf(which) }));
    return { strip, node, from, weight, cells: row(nameOf(which), "", "", weight).cells };
  });
  const heaps = [words.now, words.before].map((when) => {
    const heap = lane(fill(words.all_says, { when }), element("div", {}, fill(words.all, { when })));
    heap.strip.classList.add("is-heap");
    return heap;
  });
  const calculation = element("p", { className: "lab-calculation" });
  const body = element("tbody", {}, ...lanes.map(({ cells }) => cells[0].parentNode));

  const named = ({ users }) => users.map((items, which) => items.map((item) => ({ ...item, text: "ABC"[which] })));

  const show = (now, { aucs, weights, kept, gauc_own: value, terms }, old, before) => {
    const { users, own } = now;
    lanes.forEach(({ strip, from, weight, cells }, which) => {
      place(strip, named(now)[which], HIGHEST + 1);
      from.input.max = HIGHEST - span(users[which]);
      from.set(lowest(users[which]), String(lowest(users[which])));
      cells[1].textContent = weights.impressions[which];
      cells[2].textContent = weights.clicks[which];
      weight.value = own[which];
    });
    [now, before].forEach((when, i) => place(heaps[i].strip, named(when).flat(), HIGHEST + 1));
    const products = kept.flatMap((i, place) => [place ? " + " : "", formula(own[i], "×", aucs[i])]);
    const divisor = formula(terms.gauc_own[1]);
    calculation.replaceChildren(`${words.gauc_own} = (`, ...products, ") / ", divisor, ` = ${shown(value)}`);
  };

  const nodes = [
    element("div", { className: "lab-lanes" }, ...[...lanes, ...heaps].map(({ node }) => node)),
    element("p", { className: "lab-legend" }, words.legend),
    status, comparison,
    table(words.weights, [words.head, words.impressions, words.clicks, words.own_weight], body),
    calculation,
  ];
  return { nodes, show };
};

make("groups", { parse, written, evaluate, build });
}
