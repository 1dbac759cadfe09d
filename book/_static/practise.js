// What the self-test and the rehearsal share: parts of their pages, what the browser keeps for them, what to read again.

// A labelled choice: its label and its list, which starts at `value` if that is one of the options.
const picker = (label, id, options, value, onchange) => {
  const select = element("select", { id, onchange: () => onchange(select.value) });
  select.append(...options.map(([value, text]) => element("option", { value }, text)));
  select.value = options.some(([known]) => known === value) ? value : options[0][0];
  return [element("label", { htmlFor: id }, label), select];
};

// A line to tick or to choose.
const optionLine = (input, ...content) => {
  const text = element("div");
  text.append(...content);
  return element("label", { className: "practise-option" }, input, text);
};

const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// Storage that is closed or spoilt keeps nothing; everything works all the same.
const kept = (key) => {
  try {
    const value = JSON.parse(localStorage.getItem(key));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

const keep = (key, value) => {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
};

const copies = (nodes) => [...nodes].map((node) => node.cloneNode(true));

const classOf = (item, prefix) =>
  [...item.classList].find((name) => name.startsWith(`${prefix}-`)).slice(prefix.length + 1);

const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

// The places of the book behind pairs of an item and how much was missed there: each once, most missed first.
// Where no chapter treats a question, the link leads to its answer, in its own words.
const toReread = (missed, thing) => {
  const places = new Map();
  missed.forEach(([item, number]) => {
    const proof = item.querySelector(".in-book a");
    const { href } = proof ?? item.querySelector(".in-bank a");
    const earlier = places.get(href)?.number ?? 0;
    places.set(href, { href, words: proof ?? item.querySelector("p"), number: earlier + number });
  });
  const worstFirst = [...places.values()].sort((one, other) => other.number - one.number);
  const lines = worstFirst.map(({ href, words, number }) => {
    const link = element("a", { href }, ...copies(words.childNodes));
    return element("li", {}, link, `: ${counted(number, thing)} missed`);
  });
  return element("ol", { className: "to-reread" }, ...lines);
};
