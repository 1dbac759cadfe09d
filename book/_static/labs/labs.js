// What every lab shares: the state and its link, the examples, the comparison with an earlier state, what is said.
// Without this script the page shows the same states as tables, which were computed when the book was built.
// A classic script, for a page that is opened as a file: browsers load no module from there.

{
const labs = {};
globalThis.labs = labs;

// As Python prints: where two last digits are equally near, the even one. Only odd multiples of 1 / 2^(digits + 1) are
// so placed, and multiplying by a power of two is exact; `toFixed` takes the larger one.
const fixed = (value, digits = 4) => {
  if (value < 0) return `-${fixed(-value, digits)}`;
  const below = Math.floor(value * 10 ** digits);
  const halfway = (value * 2 ** (digits + 1)) % 2 === 1;
  return (halfway && below % 2 === 0 ? below / 10 ** digits : value).toFixed(digits);
};

const sum = (values) => values.reduce((total, value) => total + value, 0);

// ---- elements -------------------------------------------------------------------------------------------------------

const drawn = (space) => (tag, attributes = {}, ...children) => {
  const node = document.createElementNS(`http://www.w3.org/${space}`, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};
const svg = drawn("2000/svg");
const maths = drawn("1998/Math/MathML");

const plain = (value) => (Number.isInteger(2 * value) ? String(value) : fixed(value));
const formula = (...parts) => {
  const shown = (part) =>
    typeof part === "number" ? maths("mn", {}, plain(part)) : maths(/[a-z]/.test(part) ? "mi" : "mo", {}, part);
  return maths("math", {}, ...parts.map(shown));
};

const row = (head, ...cells) =>
  element("tr", {}, element("th", { scope: "row" }, head), ...cells.map((cell) => element("td", {}, ...[cell].flat())));

const table = (caption, heads, body) =>
  element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))), body);

// The point of a picture under the pointer, each side from 0 to 1.
const pointed = (node, event) => {
  const box = node.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
};

// ---- a lab ----------------------------------------------------------------------------------------------------------

// `parse` reads a state or gives null, `written` writes it, `evaluate` is pure and computes all that is shown; `build`
// makes the elements once and returns them with `show`, which brings them to a state and may return more to say of it.
// `agree` tells whether two states can be compared.
const make = (name, { parse, written, evaluate, build, agree = () => true }) => {
  const read = (text) => {
    const state = parse(text);
    return state && written(state) === text ? state : null;
  };
  labs[name] = { read, evaluate };
  const root = document.getElementById(`lab-${name}`);
  if (!root) return;
  const [words, rows, presets] = [root.dataset.words, root.dataset.rows, root.dataset.presets].map(JSON.parse);
  const both = (text) => {
    const states = text.split("~").map(read);
    const ends = [states[0], states.at(-1)];
    return states.length < 3 && states.every(Boolean) && agree(...ends) ? ends : null;
  };
  const fromHash = ({ hash }) => {
    const [key, ...rest] = hash.slice(1).split("=");
    return key === name ? both(rest.join("=")) : undefined; // undefined: the address asks for something else
  };
  const start = both(root.dataset.state);
  const linked = fromHash(location);
  let [before, now] = linked || start;
  let timer;

  const toText = () => [...new Set([before, now].map(written))].join("~");
  const address = () => history.replaceState(null, "", `#${name}=${toText()}`);
  const shown = (value) => (Number.isNaN(value) ? words.undefined : fixed(value));

  // ---- elements of every lab

  let count = 0;
  const control = (label, input, ...more) => {
    input.id = `${root.id}-${++count}`;
    return element("div", { className: "lab-control" }, element("label", { htmlFor: input.id }, label), input, ...more);
  };
  const slider = (label, max, move, min = 0) => {
    const value = element("span", { className: "lab-value" });
    const input = element("input", { type: "range", min, max, oninput: () => move(Number(input.value)) });
    const set = (at, text) => {
      input.value = at;
      input.setAttribute("aria-valuetext", text);
      value.textContent = text;
    };
    return { node: control(label, input, value), input, set };
  };
  const select = (label, options, choose) => {
    const input = element("select", { onchange: () => choose(input.value) });
    input.append(...options.map(([value, text]) => element("option", { value }, text)));
    return { node: control(label, input), input };
  };

  // `begin` looks at where the pointer goes down, and returns what follows it; Escape brings back what was.
  const draggable = (node, begin) =>
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      const origin = [now, words.undone, before];
      const follow = begin(event);
      const end = new AbortController();
      const undo = () => {
        end.abort();
        change(...origin);
      };
      const { signal } = end;
      node.setPointerCapture(event.pointerId);
      node.addEventListener("pointermove", follow, { signal });
      node.addEventListener("pointerup", () => end.abort(), { signal });
      node.addEventListener("pointercancel", undo, { signal });
      addEventListener("keydown", ({ key }) => key === "Escape" && undo(), { signal });
    });

  const status = element("p", { className: "lab-status", role: "status" });
  const note = element("p", { className: "lab-note" });
  const board = element("tbody");
  const comparison = table(words.comparison, [words.metric, words.before, words.now, words.change], board);
  comparison.className = "lab-board";
  const example = select(
    words.example,
    [["", words.own], ...presets.map(({ state, title }) => [state, title])],
    (text) => text && take(both(text), ""),
  );

  // Metrics of other lessons wait behind a button; `data-shown` names those of this one.
  const own = root.dataset.shown ? root.dataset.shown.split(" ") : Object.keys(rows);
  const others = Object.keys(rows).length - own.length;
  let isAll = !others;
  const isShown = (key) => isAll || own.includes(key);
  const more = button("", () => {
    isAll = !isAll;
    show();
  });
  more.className = "lab-more";

  // ---- what is shown, and what changes it

  const changed = (old, value) => {
    if (Number.isNaN(old + value)) return words.none;
    if (Math.abs(value - old) < 1e-12) return words.same;
    return value > old ? words.up : words.down;
  };

  const show = (said) => {
    const [old, values] = [before, now].map(evaluate);
    const also = view.show(now, values, old, before, isShown);
    more.textContent = isAll ? words.fewer_metrics : fill(words.more_metrics, { count: others });
    more.setAttribute("aria-expanded", isAll);
    for (const option of example.input.options)
      option.hidden = !isAll && option.value !== "" && option.value !== toText() && view.isOwn?.(option.value, isShown) === false;
    board.replaceChildren(...Object.entries(rows).filter(([key]) => isShown(key)).map(([key, head]) => {
      const how = changed(old[key], values[key]);
      const terms = values.terms[key];
      const calculated = terms ? [formula(terms[0], "/", terms[1]), " = "] : [];
      const made = row(head, shown(old[key]), [...calculated, shown(values[key])], how);
      made.classList.toggle("is-same", how === words.same);
      return made;
    }));
    const chosen = presets.find(({ state }) => state === toText());
    example.input.value = chosen ? chosen.state : "";
    const says = chosen ? chosen.note : words.about;
    const last = note.textContent;
    if (last && last !== says) note.style.minHeight = `${note.offsetHeight}px`; // nothing jumps up under the finger
    note.textContent = says;
    if (said === undefined) return;
    const texts = Object.fromEntries(Object.keys(rows).map((key) => [key, shown(values[key])]));
    status.textContent = `${said} ${fill(words.summary, { ...texts, ...also })}`;
    clearTimeout(timer); // browsers refuse addresses that change too often
    timer = setTimeout(address, 300);
  };
  const change = (next, said, old = before) => {
    const fits = read(written(next));
    if (fits) [before, now] = [old, next];
    show(fits ? said : words.refused);
  };
  const take = (states, said) => {
    [before, now] = states;
    show(said);
  };

  const buttons = [
    button(words.compare, () => take([now, now], words.compared)),
    button(words.reset, () => take(start, words.again)),
    button(words.copy, async () => {
      address();
      try {
        await navigator.clipboard.writeText(location.href);
        status.textContent = words.copied;
      } catch {
        status.textContent = words.address;
      }
    }),
  ];
  addEventListener("hashchange", ({ newURL }) => { // a late address of ours may have taken its place
    const states = fromHash(new URL(newURL));
    if (states) take(states, words.linked);
    else if (states === null) status.textContent = words.malformed;
  });

  if (others) comparison.caption.append(" ", more);
  const view = build({
    words, rows, shown, changed, change, draggable, slider, select, button, status, comparison,
    state: () => now, states: () => [before, now],
  });
  show();
  if (linked === null) status.textContent = words.malformed;
  const title = root.firstElementChild;
  root.replaceChildren(
    title, example.node, note, ...view.nodes, element("div", { className: "lab-buttons" }, ...buttons),
  );
  root.classList.add("is-live");
  if (linked) root.scrollIntoView();
};

Object.assign(labs, { fixed, sum, fill, element, svg, formula, row, table, pointed, make });
}
