// A lab: two systems on the same queries, which are drawn again and again; how far the mean difference varies.

{
const { fixed, sum, fill, element, svg, row, table, make } = labs;
const STEPS = [10, 100, 1000, 10000]; // draws
const MOST = STEPS.at(-1);
const FEWEST = 5; // queries
const REACHES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1]; // of the axis, to either side of 0

// "9413487471.9812547669.5.1.rows.paired.7.100": the values of A and of B in hundredths, how many of them are used, the
// queries of a user, what is drawn and for which system, the seed, the draws.
const parse = (text) => {
  const [a, b, n, size, unit, how, seed, draws] = text.split(".").map((part, i) =>
    (i < 2 ? (part.match(/\d\d/g) ?? []).map(Number) : i === 4 || i === 5 ? part : Number(part)));
  const within = (value, low, high) => low <= value && value <= high;
  const lengths = a.length === b?.length && a.length <= 40 && within(n, FEWEST, a.length);
  const options = (size > 1 ? ["rows", "users"] : ["rows"]).includes(unit) && ["paired", "apart"].includes(how);
  const numbers = within(size, 1, Math.min(n - 1, 10)) && within(seed, 1, 99) && within(draws, 1, MOST);
  return lengths && options && numbers ? { a, b, n, size, unit, how, seed, draws } : null;
};
const digits = (values) => values.map((value) => String(value).padStart(2, "0")).join("");
const written = ({ a, b, ...others }) => [digits(a), digits(b), ...Object.values(others)].join(".");

// mulberry32, which has a number for each count, as a place below `below`.
const placeAt = (seed, count, below) => {
  const x = seed + Math.imul(count, 0x6d2b79f5);
  let y = Math.imul(x ^ (x >>> 15), x | 1);
  y ^= y + Math.imul(y ^ (y >>> 7), y | 61);
  return Math.floor((((y ^ (y >>> 14)) >>> 0) * below) / 2 ** 32);
};

// What is drawn: lists of rows.
const unitsOf = ({ n, size }, unit) => {
  const rows = [...Array(n).keys()];
  const step = unit === "users" ? size : 1;
  return rows.filter((at) => at % step === 0).map((at) => rows.slice(at, at + step));
};

// The means of the draws so far, kept for the next ones. Apart, B has places of its own; paired, those of A.
const kept = new Map();
const meansOf = (state, unit) => {
  const key = written({ ...state, unit, how: "", draws: "" });
  if (kept.size > 20) kept.clear();
  if (!kept.has(key)) kept.set(key, { a: [], b: [], paired: [], apart: [] });
  const means = kept.get(key);
  const units = unitsOf(state, unit);
  const count = units.length;
  const [a, b] = [state.a, state.b].map((values) => units.map((rows) => sum(rows.map((at) => values[at]))));
  for (let draw = means.a.length; draw < state.draws; draw++) {
    let [sumA, gain, sizeA, sumB, sizeB] = [0, 0, 0, 0, 0];
    for (let i = draw * count + 1; i <= (draw + 1) * count; i++) {
      const [one, other] = [placeAt(2 * state.seed, i, count), placeAt(2 * state.seed + 1, i, count)];
      sumA += a[one];
      gain += b[one] - a[one];
      sizeA += units[one].length;
      sumB += b[other];
      sizeB += units[other].length;
    }
    const [meanA, meanB] = [sumA / sizeA / 100, sumB / sizeB / 100];
    means.a.push(meanA);
    means.b.push(meanB);
    means.paired.push(gain / sizeA / 100);
    means.apart.push(meanB - meanA);
  }
  return means;
};

// Between the two nearest means, in proportion, as in `numpy.quantile`.
const interval = (means, draws) => {
  const sorted = Float64Array.from(means.slice(0, draws)).sort();
  return [(1 - 0.95) / 2, (1 + 0.95) / 2].map((share) => {
    const at = (draws - 1) * share;
    const below = sorted[Math.floor(at)];
    return below + (at % 1) * ((sorted[Math.floor(at) + 1] ?? below) - below);
  });
};

const evaluate = (state) => {
  const { a, b, n, size, unit, how, draws } = state;
  const mean = (values) => sum(values.slice(0, n)) / n / 100;
  const values = { n, mean_a: mean(a), mean_b: mean(b), difference: mean(b.map((value, at) => value - a[at])) };
  for (const each of size > 1 ? ["rows", "users"] : ["rows"])
    for (const way of ["paired", "apart"]) values[`${each}_${way}`] = interval(meansOf(state, each)[way], draws);
  for (const system of ["a", "b"]) values[system] = interval(meansOf(state, unit)[system], draws);
  const chosen = meansOf(state, unit)[how].slice(0, draws);
  const [low, high] = values[`${unit}_${how}`];
  const above = [chosen.filter((each) => each > 0).length, draws];
  const steps = STEPS.filter((step) => step <= draws).map((step) => [step, ...interval(chosen, step)]);
  return { ...values, low, high, width: high - low, above: above[0] / draws, steps, terms: { above } };
};

// ---- the lab --------------------------------------------------------------------------------------------------------

const many = (count) => count.toLocaleString("en");
const percent = (value) => `${value}%`;

// Bars in a square of 100. Means are multiples of the step, and so is the width: none lies on an edge.
const outline = (means, reach, step) => {
  const width = Math.ceil(reach / step / 80) * step;
  const counts = new Map();
  for (const mean of means) {
    const bar = Math.floor((mean + step / 2) / width);
    counts.set(bar, (counts.get(bar) ?? 0) + 1);
  }
  const unit = 100 / Math.max(5, ...counts.values()); // the first draws pile up
  const wide = (width / reach) * 50;
  return [...counts].map(([bar, count]) =>
    `M${50 + bar * wide - (step / reach) * 25} 100v${-unit * count}h${wide}V100`).join("");
};

const build = ({ words, change, slider, select, button, status, comparison, state }) => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const set = (changes, label, value) => change({ ...state(), ...changes }, `${label}: ${value}.`);
  const drawTo = (draws) => set({ draws }, words.draws, many(draws));

  const queries = slider(words.queries, 0, (n) => set({ n }, words.queries, n));
  const seeds = slider(words.seed, 99, (seed) => set({ seed }, words.seed, seed), 1);
  const choices = ["unit", "how"].map((field) =>
    select(words.labels[field], Object.entries(words[field]), (value) =>
      set({ [field]: value }, words.labels[field], words[field][value])));
  const draws = select(words.draws, [], (value) => drawTo(Number(value)));
  const one = button(words.one, () => drawTo(Math.min(state().draws + 1, MOST)));

  // A twentieth more draws in each frame, until there are all or something else is changed.
  let frame;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    runs.textContent = words.run;
  };
  const grow = (count) => {
    const next = { ...state(), draws: Math.min(Math.floor(1.05 * count) + 1, MOST) };
    change(next);
    frame = requestAnimationFrame(() => {
      if (state() === next && next.draws < MOST) return grow(next.draws);
      stop();
      if (state() === next) drawTo(MOST);
    });
  };
  const runs = button(words.run, () => {
    const count = state().draws;
    if (frame) {
      stop();
      drawTo(count);
    } else if (calm.matches) drawTo(STEPS.find((step) => step > count) ?? STEPS[0]);
    else {
      runs.textContent = words.stop;
      grow(count % MOST);
    }
  });

  const dots = svg("g");
  const values = svg("svg", { class: "lab-values", role: "img" });
  const histogram = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img" });
  const axis = element("div", { className: "lab-ticks", "aria-hidden": "true" });
  const drawn = element("p", { className: "lab-head" });
  const [ways, steps] = [element("tbody"), element("tbody")];
  const lanes = [[words.intervals, ways], [words.settling, steps]].map(([title, body]) => {
    const node = table(title, [words.drawing, words.before, words.now], body);
    node.className = "lab-lanes";
    return node;
  });

  const range = (ends) => (ends ? fill(words.range, { low: fixed(ends[0], 3), high: fixed(ends[1], 3) }) : words.none);
  // An interval before and now, in words, and below them as lines.
  const lane = (name, both, reach, isChosen) => {
    const lines = both.flatMap((ends, i) => {
      if (!ends) return [];
      const [left, right] = ends.map((end) => 50 + (50 * end) / reach);
      const className = i ? (left > 50 || right < 50 ? "is-sure" : "") : "is-before";
      return [element("span", { className, style: `left: ${left}%; width: ${right - left}%` })];
    });
    const track = element("span", { className: "lab-track", "aria-hidden": "true" }, ...lines);
    const made = row(element("span", {}, name, track), ...both.map(range));
    made.classList.toggle("is-chosen", isChosen);
    return made;
  };

  let drawnFor;
  const showValues = ({ a, b, n, size, how, unit, seed, draws: count }, found) => {
    const column = 84 / a.length;
    const [x, y] = [(at) => percent(at * column), (value) => percent(76 - 72 * value)];
    const line = (look, x1, from, x2, to) => svg("line", { class: look, x1, y1: y(from), x2, y2: y(to) });
    const dot = (look, cx, value) => svg("circle", { class: look, cx, cy: y(value) });
    const text = [a, b, n, size].join();
    if (drawnFor !== text) {
      drawnFor = text;
      const shades = a.flatMap((_, at) => (size > 1 && at % (2 * size) === 0
        ? [svg("rect", { class: "lab-user", x: x(at), width: percent(size * column), height: "100%" })] : []));
      const grid = [0, 0.5, 1].flatMap((value) => [
        line("", 0, value, "100%", value),
        svg("text", { x: "100%", y: y(value), dy: 12, "text-anchor": "end" }, value),
      ]);
      dots.replaceChildren(...shades, ...grid, ...a.map((value, at) => {
        const [middle, one, other] = [x(at + 0.5), value / 100, b[at] / 100];
        return svg("g", { class: at < n ? "" : "is-unused" },
          line("", middle, one, middle, other), dot("is-a", middle, one), dot("is-b", middle, other));
      }));
    }
    const units = unitsOf({ n, size }, unit);
    const box = { viewBox: `0 0 ${a.length} 6`, preserveAspectRatio: "none", y: "82%", width: "84%", height: "18%" };
    values.replaceChildren(dots, ...[["a", "is-a"], ["b", "is-b"]].flatMap(([name, look], i) => {
      const at = percent(88 + 5 * i);
      const times = Array(n).fill(0);
      units.forEach((_, j) => {
        const place = placeAt(2 * seed + (how === "apart" ? i : 0), (count - 1) * units.length + j + 1, units.length);
        for (const each of units[place]) times[each]++;
      });
      const bars = times.map((time, each) => `M${each + 0.1 + 0.4 * i} 6v-${time}h.4V6`).join("");
      return [
        line(`is-own ${look}`, at, found[name][0], at, found[name][1]), dot(look, at, found[`mean_${name}`]),
        svg("text", { x: at, y: "84%", "text-anchor": "middle" }, name.toUpperCase()),
        svg("svg", box, svg("path", { class: look, d: bars })),
      ];
    }));
    values.setAttribute("aria-label", fill(words.values_says, { n, a: range(found.a), b: range(found.b) }));
  };

  const show = (now, found, old) => {
    const { a, n, size, unit, how, seed, draws: count } = now;
    const means = meansOf(now, unit)[how].slice(0, count);
    const names = Object.keys(words.lanes).filter((name) => found[name]);
    const ends = [...names.flatMap((name) => [...found[name], ...old[name]]), ...means].map(Math.abs);
    const reach = REACHES.find((each) => each >= Math.max(...ends)) ?? 1;
    const at = (value) => 50 + (50 * value) / reach;
    queries.input.min = Math.max(FEWEST, size + 1);
    queries.input.max = a.length;
    queries.set(n, n);
    seeds.set(seed, seed);
    choices.forEach(({ input }, i) => { input.value = [unit, how][i]; });
    choices[0].node.hidden = size === 1;
    const options = [...new Set([...STEPS, count])].sort((low, high) => low - high);
    draws.input.replaceChildren(...options.map((value) => element("option", { value }, many(value))));
    draws.input.value = count;
    showValues(now, found);
    histogram.replaceChildren(
      svg("rect", { x: at(found.low), width: at(found.width) - 50, height: 100 }),
      svg("path", { class: "lab-bars", d: outline(means, reach, 0.01 / n) }),
      svg("path", { d: "M50 0V100" }), svg("path", { class: "lab-found", d: `M${at(found.difference)} 0V100` }),
    );
    const texts = { draws: many(count), range: range([found.low, found.high]) };
    histogram.setAttribute("aria-label", fill(words.histogram_says, texts));
    drawn.textContent = fill(words.histogram, texts);
    axis.replaceChildren(...[-1, -0.5, 0, 0.5, 1].map((mark) => element("span", {}, mark * reach)));
    ways.replaceChildren(...names.map((name) =>
      lane(words.lanes[name], [old[name], found[name]], reach, name === `${unit}_${how}`)));
    steps.replaceChildren(...STEPS.map((step, i) =>
      lane(many(step), [old, found].map((each) => each.steps[i]?.slice(1)), reach, false)));
    return { verdict: found.low > 0 ? words.over : found.high < 0 ? words.under : words.holds };
  };

  const controls = [queries, choices[1], choices[0], draws, seeds].map(({ node }) => node);
  const nodes = [
    values, element("p", { className: "lab-legend" }, words.legend),
    element("div", { className: "lab-controls" }, ...controls, element("div", { className: "lab-buttons" }, one, runs)),
    drawn, element("div", { className: "lab-histogram" }, histogram, axis), ...lanes, status, comparison,
  ];
  return { nodes, show };
};

const agree = (one, other) => written({ ...one, a: other.a, b: other.b, size: other.size }) === written(one);
make("bootstrap", { parse, written, evaluate, build, agree });
}
