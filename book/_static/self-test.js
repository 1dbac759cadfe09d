// Makes a quiz of the questions on the page, which without this script stand there in full with their answers folded.
const items = [...document.querySelectorAll(".self-test")];
const controls = document.getElementById("self-test-controls");
const KEY = "evaluation-metrics.self-test"; // id of a question: whether the first answer was right
const TEN = 10;

const marks = (() => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // storage that is closed or spoilt keeps nothing; the quiz works all the same
  }
})();

const store = () => {
  try {
    localStorage.setItem(KEY, JSON.stringify(marks));
  } catch {}
};

const classOf = (item, prefix) =>
  [...item.classList].find((name) => name.startsWith(`${prefix}-`)).slice(prefix.length + 1);

const element = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

const picker = (label, name, options) => {
  const select = element("select", { id: `self-test-${name}` });
  select.append(...options.map(([value, text]) => element("option", { value }, text)));
  controls.append(element("label", { htmlFor: select.id }, label), select);
  return select;
};

const button = (text, action) => element("button", { type: "button", onclick: action }, text);

const asQuiz = (item) => {
  const list = item.querySelector("ul");
  const answer = item.querySelector("details");
  const feedback = [...answer.querySelectorAll("li")];
  const right = Number(classOf(item, "right"));
  const legend = element("legend", {}, element("span", { className: "self-test-number" }));
  const fieldset = element("fieldset", {}, legend);
  while (item.firstElementChild !== list) legend.append(item.firstElementChild);
  [...list.children].forEach((option, place) => {
    const radio = element("input", { type: "radio", name: item.id, value: place });
    radio.onchange = () => {
      check.disabled = false;
    };
    const text = element("div");
    text.append(...option.childNodes);
    fieldset.append(element("label", { className: "self-test-option" }, radio, text));
  });
  const said = element("div", { className: "self-test-feedback" });
  said.setAttribute("role", "status");
  const check = button("Check", () => {
    const chosen = Number(fieldset.querySelector("input:checked").value);
    marks[item.id] ??= chosen === right;
    store();
    said.classList.toggle("is-right", chosen === right);
    said.classList.toggle("is-wrong", chosen !== right);
    said.replaceChildren(...[...feedback[chosen].childNodes].map((part) => part.cloneNode(true)));
    answer.hidden = false;
    showProgress();
  });
  check.disabled = true;
  answer.querySelector("summary").firstElementChild?.remove();
  answer.querySelector("summary").textContent = "All options";
  answer.hidden = true;
  list.replaceWith(fieldset, check, said);
};

const reset = (item) => {
  item.querySelectorAll("input").forEach((radio) => {
    radio.checked = false;
  });
  item.querySelector("button").disabled = true;
  item.querySelector(".self-test-feedback").replaceChildren();
  const answer = item.querySelector("details");
  answer.open = false;
  answer.hidden = true;
};

const chosenItems = () =>
  items.filter(
    (item) =>
      [classOf(item, "topic"), ""].includes(topic.value) && [classOf(item, "level"), ""].includes(level.value),
  );

const showProgress = () => {
  const answered = Object.values(marks);
  const known = answered.filter(Boolean).length;
  progress.textContent = `Of ${items.length} questions you have answered ${answered.length}, ${known} of them right at the first try.`;
};

const showTen = () => {
  // What has not been answered, or not rightly, comes first; the order among equals is random.
  const drawn = chosenItems()
    .map((item) => [marks[item.id] ? 1 : 0, Math.random(), item])
    .sort((one, other) => one[0] - other[0] || one[1] - other[1])
    .slice(0, TEN)
    .map(([, , item]) => item);
  items.forEach((item) => item.classList.remove("is-shown"));
  drawn.forEach((item, place) => {
    reset(item);
    item.classList.add("is-shown");
    item.querySelector(".self-test-number").textContent = `Question ${place + 1} of ${drawn.length}`;
    item.parentElement.append(item);
  });
  found.textContent = drawn.length ? `${drawn.length} questions are shown.` : "There is no question of this kind.";
};

const options = (prefix, texts) => {
  const values = new Set(items.map((item) => classOf(item, prefix)));
  return [["", "all"], ...Object.entries(texts).filter(([value]) => values.has(value))];
};

items.forEach(asQuiz);
const topic = picker("Topic", "topic", options("topic", JSON.parse(controls.dataset.topics)));
const level = picker("Level", "level", options("level", { easy: "easy", medium: "medium", hard: "hard" }));
const found = element("p");
found.setAttribute("role", "status");
const progress = element("p");
const forget = button("Forget my answers", () => {
  Object.keys(marks).forEach((id) => delete marks[id]);
  store();
  showProgress();
});
controls.append(button("Ten other questions", showTen), forget, found, progress);
topic.onchange = showTen;
level.onchange = showTen;
showTen();
showProgress();
