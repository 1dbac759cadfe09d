// A lab: two orders of the same judged documents, and what each metric makes of them, written out as a sum.

{
const { sum, fill, element, svg, formula, row, table, pointed, make } = labs;
const DOCUMENTS = "KLMNPQRSTU";
const END = "-"; // of what is returned
const HIGHEST = 3; // grade
const OPTIONS = {
  gain: ["linear", "exponential"],
  denominator: ["relevant", "min", "hits", "k"],
  pool: ["list", "judged"],
  chosen: ["p", "recall", "ap", "rr", "cg", "dcg", "ndcg", "err"],
};
const FIELDS = Object.keys(OPTIONS);
// What changes which metric.
const CONVENTIONS = [["gain", "dcg"], ["gain", "ndcg"], ["denominator", "ap"], ["pool", "ndcg"]];
const KEYS = { ArrowUp: -1, ArrowDown: 1, Home: -99, End: 99 };

// "LKM-N.3210.3.linear.relevant.list.ndcg": an order, the grades of K, L, ..., the cut, the options, of which the
// last is the metric to be written out.
const parse = (text) => {
  const [order, marks = "", cut, ...options] = text.split(".");
  const complete = [...order].sort().join("") === END + DOCUMENTS.slice(0, marks.length);
  const known = FIELDS.every((field, i) => OPTIONS[field].includes(options[i]));
  if (!complete || !known || !/^[0-3]{2,}$/.test(marks) || !(cut > 0 && cut <= marks.length)) return null;
  const grades = Object.fromEntries([...marks].map((mark, i) => [DOCUMENTS[i], Number(mark)]));
  const chosen = Object.fromEntries(FIELDS.map((field, i) => [field, options[i]]));
  return { order: [...order], grades, k: Number(cut), ...chosen };
};
const written = ({ order, grades, k, ...options }) =>
  [order.join(""), Object.values(grades).join(""), k, ...FIELDS.map((field) => options[field])].join(".");

const listOf = ({ order, grades }) => order.slice(0, order.indexOf(END)).map((name) => grades[name]);

// For each metric the terms that are added, and those of the divisor; a term is a value and how it is written.
const sumsOf = (state) => {
  const { k, gain, denominator, pool } = state;
  const [list, judged] = [listOf(state), Object.values(state.grades)];
  const terms = (ranked, term) => ranked.slice(0, k).flatMap((grade, i) => (grade ? [term(i + 1, grade)] : []));
  const number = (value) => [[value, value]];
  const discounted = (ranked) => terms(ranked, (rank, grade) => {
    const worth = gain === "linear" ? grade : 2 ** grade - 1;
    return [worth / Math.log2(rank + 1), worth, "/", "log₂", rank + 1];
  });
  const hits = terms(list, () => [1, 1]);
  const relevant = judged.filter(Boolean).length;
  const divisors = { relevant, min: Math.min(relevant, k), hits: hits.length, k };
  let found = 0;
  let reading = 1; // the share of readers who get here
  return {
    p: [hits, number(k)],
    recall: [hits, number(relevant)],
    ap: [terms(list, (rank) => [++found / rank, found, "/", rank]), number(relevant && divisors[denominator])],
    rr: [terms(list, (rank) => [1 / rank, 1, "/", rank]).slice(0, 1)],
    cg: [terms(list, (_, grade) => [grade, grade])],
    dcg: [discounted(list)],
    ndcg: [list, [...(pool === "list" ? list : judged)].sort().reverse()].map(discounted),
    err: [terms(list, (rank, grade) => {
      const stops = (2 ** grade - 1) / 2 ** HIGHEST;
      const here = reading;
      reading *= 1 - stops;
      return [(here * stops) / rank, 1, "/", rank, "×", here, "×", stops];
    })],
  };
};
const totals = (sums) => sums.map((terms) => sum(terms.map(([value]) => value)));

const spelled = (terms) => terms.flatMap(([, ...parts], i) => [i ? " + " : "", formula(...parts)]);
const calculated = ([terms, over]) => {
  const all = terms[0] ? spelled(terms) : [formula(0)];
  if (!over) return all;
  const [up, down] = totals([terms, over]);
  const divisor = over[0] ? spelled(over) : [formula(0)];
  return ["(", ...all, ") / (", ...divisor, ") = ", formula(up, "/", down)];
};

// Undefined is NaN, which is 0 / 0. `ap_hits` is AP divided by the hits, whatever is chosen.
const evaluate = (state) => {
  const values = { list: listOf(state), sums: sumsOf(state), terms: {} };
  const put = (name, sums) => {
    const [up, down] = totals(sums);
    values[name] = sums[1] ? up / down : up;
  };
  for (const metric of OPTIONS.chosen) put(metric, values.sums[metric]);
  for (const [field, metric] of CONVENTIONS)
    for (const option of OPTIONS[field]) put(`${metric}_${option}`, sumsOf({ ...state, [field]: option })[metric]);
  return values;
};

// Two orders of the same documents under the same conventions.
const agree = (one, other) => written({ ...one, order: other.order }) === written(other);

const build = (lab) => {
  const { words, rows, shown, changed, change, draggable, slider, select, button, status, comparison, states } = lab;
  const names = [words.before, words.now];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const set = (changes, label, value) => {
    const [one, other] = states().map((state) => ({ ...state, ...changes }));
    change(other, `${label}: ${value}.`, one);
  };
  const placeOf = (name, { order, grades }, list) => {
    const [rank, end] = [order.indexOf(name) + 1, order.indexOf(END)];
    const text = name === END ? words.line : rank > end ? words.left : words.ranked;
    return fill(text, { name, rank, end, list, grade: grades[name] });
  };

  const lists = names.map((list, which) => {
    const node = element("ol", { className: "lab-list", "aria-label": list });
    const items = {};
    for (const name of DOCUMENTS + END) {
      const move = (to) => {
        const both = states();
        const order = both[which].order.filter((other) => other !== name);
        order.splice(Math.max(to, 0), 0, name);
        if (order.join() === both[which].order.join()) return;
        both[which] = { ...both[which], order };
        change(both[1], `${placeOf(name, both[which], list)}.`, both[0]);
      };
      const moveBy = (by) => move(states()[which].order.indexOf(name) + by);
      const tile = button("");
      tile.className = "lab-tile";
      tile.onkeydown = (event) => {
        if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        moveBy(KEYS[event.key]);
      };
      draggable(tile, () => {
        tile.focus();
        return (event) => move(Math.floor(pointed(node, event)[1] * node.children.length));
      });
      const steps = [["▲", words.earlier, -1], ["▼", words.later, 1]].map(([text, label, by]) => {
        const step = button(text, () => moveBy(by));
        step.tabIndex = -1; // the keys of the tile do the same
        step.setAttribute("aria-label", fill(label, { name, list }));
        return step;
      });
      items[name] = { item: element("li", {}, tile, ...steps), tile, steps };
    }
    const sums = element("p", { className: "lab-sum" });
    let last;
    const show = (state, values) => {
      if (written(state) === last) return;
      last = written(state);
      const { order, grades, k, chosen } = state;
      const end = order.indexOf(END);
      const nodes = order.map((name, place) => {
        const { item, tile, steps, was } = items[name];
        items[name].was = place;
        item.className = name === END ? "is-end" : place < Math.min(k, end) ? "is-seen" : "";
        item.style.setProperty("--share", grades[name] / HIGHEST);
        tile.replaceChildren(name === END ? words.end : name, " ", element("span", {}, grades[name] ?? ""));
        tile.setAttribute("aria-label", placeOf(name, state, list));
        // Not `disabled`: a button that is disabled under the finger loses the focus.
        steps.forEach((step, i) => step.setAttribute("aria-disabled", place === i * (order.length - 1)));
        const from = { transform: `translateY(${(was - place) * 100}%)` };
        if (was >= 0 && was !== place && !calm.matches && !tile.matches(":active"))
          item.animate([from, { transform: "none" }], { duration: 160, easing: "ease-out" });
        return item;
      });
      // What has the focus would lose it if it were moved: the others go around it (or all come last, at -1).
      const still = nodes.findIndex((item) => item.contains(document.activeElement));
      for (const item of [...node.children]) if (!nodes.includes(item)) item.remove();
      node.prepend(...nodes.slice(0, still));
      node.append(...nodes.slice(still + 1));
      const title = `${list}: ${rows[chosen].replace("k", k)} = `;
      sums.replaceChildren(title, ...calculated(values.sums[chosen]), " = ", element("b", {}, shown(values[chosen])));
    };
    return { node, sums, show };
  });

  const slopes = svg("svg", { class: "lab-slopes", preserveAspectRatio: "none", "aria-hidden": "true" });
  const cut = slider(words.cut, 0, (k) => set({ k }, words.cut, k), 1);
  const textsOf = (field) => words[field] ?? rows;
  const selects = FIELDS.map((field) =>
    select(words.labels[field], Object.entries(textsOf(field)), (value) =>
      set({ [field]: value }, words.labels[field], textsOf(field)[value])));
  const marks = [...DOCUMENTS].map((name) => {
    const label = fill(words.grade, { name });
    const mark = select(name, [..."0123"].map((value) => [value, value]), (value) =>
      set({ grades: { ...states()[0].grades, [name]: Number(value) } }, label, value));
    mark.input.setAttribute("aria-label", label);
    return mark;
  });
  const means = element("p", { className: "lab-legend" });
  const others = element("tbody");
  const conventions = table(words.conventions, [words.convention, ...names, words.change], others);
  conventions.className = "lab-conventions";

  const NEEDS = { gain: ["dcg", "ndcg"], denominator: ["ap"], pool: ["ndcg"] };
  const show = (now, values, old, before, isShown) => {
    const [both, found] = [[before, now], [old, values]];
    const { grades, chosen, k } = now;
    const count = Object.keys(grades).length;
    lists.forEach((list, i) => list.show(both[i], found[i]));
    slopes.setAttribute("viewBox", `0 0 1 ${count + 1}`);
    slopes.replaceChildren(...Object.entries(grades).map(([name, grade]) => {
      const [y1, y2] = both.map(({ order }) => order.indexOf(name) + 0.5);
      return svg("line", { x1: 0, x2: 1, y1, y2, style: `--share: ${grade / HIGHEST}` });
    }));
    cut.input.max = count;
    cut.set(k, k);
    selects.forEach(({ node, input }, i) => {
      const field = FIELDS[i];
      input.value = now[field];
      if (NEEDS[field]) node.hidden = !NEEDS[field].some(isShown);
      else for (const option of input.options) option.hidden = !isShown(option.value) && option.value !== now.chosen;
    });
    marks.forEach(({ node, input }, i) => {
      node.hidden = i >= count;
      input.value = grades[DOCUMENTS[i]];
    });
    const [a, b] = found.map((each) => shown(each[chosen]));
    means.textContent = words.means[chosen];
    const fields = CONVENTIONS.filter(([, metric]) => metric === chosen);
    conventions.hidden = !fields[0];
    others.replaceChildren(...fields.flatMap(([field]) => OPTIONS[field].map((option) => {
      const pair = found.map((each) => each[`${chosen}_${option}`]);
      return row(`${words.labels[field]}: ${words[field][option]}`, ...pair.map(shown), changed(...pair));
    })));
    return { metric: rows[chosen].replace("k", k), a, b };
  };

  const box = (className, ...nodes) => element("div", { className }, ...nodes);
  const inputs = selects.map(({ node }) => node);
  const heads = names.map((name) => box("lab-name", name));
  const nodes = [
    box("lab-orders", box("lab-lists", ...heads, lists[0].node, slopes, lists[1].node), comparison),
    element("p", { className: "lab-legend" }, words.drag, " ",
      element("span", { className: "lab-keys" }, words.keys), " ", words.marks),
    status,
    box("lab-controls", cut.node, ...inputs.splice(0, 3)),
    box("lab-grades", words.grades, ...marks.map(({ node }) => node)),
    ...inputs, means, ...lists.map(({ sums }) => sums), conventions,
  ];
  const isOwn = (text, isShown) => isShown(text.split(".").at(-1));
  return { nodes, show, isOwn };
};

make("ranked-list", { parse, written, evaluate, build, agree });
}
