// Makes a quiz of the questions on the page, which without this script stand there in full with their answers folded.
const items = [...document.querySelectorAll(".self-test")];
const byId = new Map(items.map((item) => [item.id, item]));
const controls = document.getElementById("self-test-controls");
const KEY = "evaluation-metrics.self-test.fsrs";
const OLD_KEY = "evaluation-metrics.self-test"; // id of a question: whether the first answer was right
const TEN = 10;

// ---- the schedule -------------------------------------------------------------------------------------------------

// FSRS-6 with its published weights, https://github.com/open-spaced-repetition/awesome-fsrs/wiki/The-Algorithm:
// what is remembered of an item after an answer on a day, and the day on which the chance to know it falls to 90 %.
// A right answer is the grade "good" (3), a wrong one "again" (1).
const W = [
  0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
  0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
const review = (memory, isRight, day) => {
  const grade = isRight ? 3 : 1;
  const between = (low, value, high) => Math.min(Math.max(value, low), high);
  const firstDifficulty = (grade) => W[4] - Math.exp(W[5] * (grade - 1)) + 1;
  const scheduled = (stability, difficulty) => ({
    stability,
    difficulty: between(1, difficulty, 10),
    last: day,
    due: day + between(1, Math.round(stability), 36500), // at 90 % the stability is the interval
  });
  if (!memory) return scheduled(W[grade - 1], firstDifficulty(grade));

  const { stability: s, difficulty: d } = memory;
  const days = Math.max(0, day - memory.last);
  const decay = -W[20];
  const recall = (1 + (0.9 ** (1 / decay) - 1) * (days / s)) ** decay; // the chance that it was known today
  const onSameDay = Math.exp(W[17] * (grade - 3 + W[18])) * s ** -W[19];
  const known = 1 + Math.exp(W[8]) * (11 - d) * s ** -W[9] * Math.expm1((1 - recall) * W[10]);
  const forgotten = W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * Math.exp((1 - recall) * W[14]);
  const stability =
    days < 1 ? s * (isRight ? Math.max(onSameDay, 1) : onSameDay)
    : isRight ? s * known
    : Math.min(forgotten, s / Math.exp(W[17] * W[18]));
  const damped = d - (W[6] * (grade - 3) * (10 - d)) / 9;
  return scheduled(Math.max(stability, 0.001), W[7] * firstDifficulty(4) + (1 - W[7]) * damped);
};

// The number of the day on the reader's calendar.
const today = () => {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000;
};

// ---- what is kept -------------------------------------------------------------------------------------------------

const isMemory = (memory) =>
  isRecord(memory) && ["stability", "difficulty", "last", "due"].every((name) => Number.isFinite(memory[name]));

// What a record holds of items that are still there, as far as it is sound.
const soundPart = (record, isSound) =>
  Object.fromEntries(
    Object.entries(isRecord(record) ? record : {}).filter(([id, held]) => byId.has(id) && isSound(held)),
  );

// Of an earlier edition the first answer to each question is left, without its day: it counts as given today.
const fromOldMarks = () =>
  Object.fromEntries(
    Object.entries(soundPart(kept(OLD_KEY), (mark) => typeof mark === "boolean")).map(([id, isRight]) => [
      id,
      review(null, isRight, today()),
    ]),
  );

const saved = kept(KEY);
const state = {
  topic: saved.topic,
  level: saved.level,
  memories: { ...fromOldMarks(), ...soundPart(saved.memories, isMemory) },
  shown: soundPart(saved.shown, Number.isFinite), // id: the day; emptied for a kind when all of the kind were shown
  // the items of the round, each with the place of the option that was chosen first, or null
  round: (Array.isArray(saved.round) ? saved.round : [])
    .filter((entry) => byId.has(entry?.id))
    .map(({ id, answer }) => ({ id, answer: Number.isInteger(answer) ? answer : null })),
};

const save = () => keep(KEY, state);

// ---- an item ------------------------------------------------------------------------------------------------------

const right = (item) => Number(classOf(item, "right"));

const linksOf = (item) => item.querySelector(".in-bank").closest("p");

const asQuiz = (item) => {
  const list = item.querySelector("ul");
  const answer = item.querySelector("details");
  const legend = element("legend", { tabIndex: -1 }, element("span", { className: "self-test-number" }));
  const fieldset = element("fieldset", {}, legend);
  while (item.firstElementChild !== list) legend.append(item.firstElementChild);
  [...list.children].forEach((option, place) => {
    const onchange = () => {
      check.disabled = false;
    };
    const radio = element("input", { type: "radio", name: item.id, value: place, onchange });
    fieldset.append(optionLine(radio, ...option.childNodes));
  });
  const said = element("div", { className: "self-test-feedback", role: "status" });
  const check = button(
    "Check my answer",
    () => answered(item, Number(fieldset.querySelector("input:checked").value)),
    { className: "is-first" },
  );
  const summary = answer.querySelector("summary");
  summary.firstElementChild?.remove();
  summary.textContent = "All options";
  list.replaceWith(fieldset, check, said);
  item.append(linksOf(item));
};

const reset = (item) => {
  item.querySelectorAll("input").forEach((radio) => {
    radio.checked = false;
  });
  item.querySelector("button").disabled = true;
  const said = item.querySelector(".self-test-feedback");
  said.className = "self-test-feedback";
  said.replaceChildren();
  const answer = item.querySelector("details");
  answer.open = false;
  answer.hidden = true;
  linksOf(item).hidden = true;
};

// What is said on an option, and where the whole answer stands.
const respond = (item, place) => {
  const answer = item.querySelector("details");
  const said = item.querySelector(".self-test-feedback");
  said.className = `self-test-feedback ${place === right(item) ? "is-right" : "is-wrong"}`;
  const words = (option) => copies(answer.querySelectorAll("li")[option].childNodes);
  said.replaceChildren(...words(place));
  if (place !== right(item)) said.append(element("p", {}, ...words(right(item))));
  answer.hidden = false;
  linksOf(item).hidden = false;
};

// The first answer in a round counts.
const answered = (item, place) => {
  const entry = state.round.find(({ id }) => id === item.id);
  respond(item, place);
  if (entry.answer !== null) return;
  entry.answer = place;
  state.memories[item.id] = review(memory(item), place === right(item), today());
  save();
  showProgress();
  showScore();
};

// ---- rounds -------------------------------------------------------------------------------------------------------

const ofKind = () =>
  items.filter((item) => ["topic", "level"].every((prefix) => [classOf(item, prefix), ""].includes(state[prefix])));

const memory = (item) => state.memories[item.id];
const due = (item) => memory(item)?.due ?? Infinity;
// What was passed over today waits until tomorrow.
const isDueAgain = (item) => due(item) <= today() && state.shown[item.id] !== today();

const inRandomOrder = (list) =>
  list
    .map((item) => [Math.random(), item])
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);

const newFirst = (list) => inRandomOrder(list).sort((one, other) => Boolean(memory(one)) - Boolean(memory(other)));

// What is due comes first, the longest overdue before others; then what was not shown; when all were, it begins anew.
const draw = () => {
  const kind = ofKind();
  const again = kind.filter(isDueAgain).sort((one, other) => due(one) - due(other));
  const unseen = kind.filter((item) => !(item.id in state.shown) && !again.includes(item));
  const drawn = [...again, ...newFirst(unseen)];
  if (drawn.length < TEN) {
    kind.forEach((item) => delete state.shown[item.id]);
    drawn.push(...newFirst(kind.filter((item) => !drawn.includes(item))));
  }
  state.round = [];
  drawn.slice(0, TEN).reverse().forEach(putFirst);
};

const putFirst = ({ id }) => {
  state.round.unshift({ id, answer: null });
  state.shown[id] = today();
};

const showRound = () => {
  items.forEach((item) => item.classList.remove("is-shown"));
  state.round.forEach(({ id, answer }, place) => {
    const item = byId.get(id);
    reset(item);
    item.classList.add("is-shown");
    item.querySelector(".self-test-number").textContent = `Question ${place + 1} of ${state.round.length}`;
    const chosen = item.querySelectorAll("input")[answer ?? -1];
    if (chosen) {
      chosen.checked = true;
      item.querySelector("button").disabled = false;
      respond(item, answer);
    }
    item.parentElement.append(item);
  });
  items[0].parentElement.append(score, document.querySelector(".self-test-schedule"));
  found.textContent = state.round.length ? "" : "There is no question of this kind.";
  save();
  showProgress();
  showScore();
};

const nextRound = () => {
  draw();
  showRound();
};

const showProgress = () => {
  const memories = Object.values(state.memories);
  const waiting = memories.filter(({ due }) => due <= today()).length;
  const answered = `Of ${items.length} questions you have answered ${memories.length}`;
  progress.textContent = `${answered}; ${waiting} of these ${waiting === 1 ? "is" : "are"} due today.`;
};

// At the end of a round: how many were right, how many come again tomorrow, what to read again.
const showScore = () => {
  const given = state.round.filter(({ answer }) => answer !== null);
  const isOver = given.length > 0 && given.length === state.round.length;
  another.hidden = !isOver;
  verdict.textContent = "";
  reread.replaceChildren();
  if (!isOver) return;
  const wrong = given.filter(({ id, answer }) => answer !== right(byId.get(id)));
  const tomorrow = given.filter(({ id }) => state.memories[id]?.due === today() + 1).length;
  const come = `${tomorrow} ${tomorrow === 1 ? "comes" : "come"} again tomorrow`;
  verdict.textContent = `${given.length - wrong.length} of ${given.length} right; ${come}.`;
  const missed = wrong.map(({ id }) => [byId.get(id), 1]);
  if (missed.length) reread.append(element("p", {}, "To read again:"), toReread(missed, "question"));
};

// ---- the page -----------------------------------------------------------------------------------------------------

// A link to an item opens it, in front of the round if it is not in it.
const openLinked = () => {
  const item = byId.get(location.hash.slice(1));
  if (!item) return;
  if (!state.round.some(({ id }) => id === item.id)) {
    putFirst(item);
    showRound();
  }
  item.scrollIntoView();
  item.querySelector("legend").focus({ preventScroll: true });
};

const options = (prefix, texts) => {
  const values = new Set(items.map((item) => classOf(item, prefix)));
  return [["", "all"], ...Object.entries(texts).filter(([value]) => values.has(value))];
};

const choose = (name) => (value) => {
  state[name] = value;
  nextRound();
};

const LEVELS = { easy: "easy", medium: "medium", hard: "hard" };
const topics = options("topic", JSON.parse(controls.dataset.topics));
const topic = picker("Topic", "self-test-topic", topics, state.topic, choose("topic"));
const level = picker("Level", "self-test-level", options("level", LEVELS), state.level, choose("level"));
state.topic = topic[1].value;
state.level = level[1].value;
const found = element("p", { role: "status" });
const progress = element("p");
const forget = button("Forget my answers", () => {
  Object.assign(state, { memories: {}, shown: {} });
  nextRound();
});
const verdict = element("p", { className: "practise-verdict", role: "status" });
const reread = element("div");
const another = button("Next round", () => {
  nextRound();
  byId.get(state.round[0].id).querySelector("legend").focus();
});
const score = element("div", { id: "self-test-score" }, verdict, reread, another);
const settings = element("details", {}, element("summary", {}, "Topic, level and progress"),
  element("div", { className: "form" }, element("p", {}, ...topic), element("p", {}, ...level)),
  progress, button("Next round", nextRound), forget);
controls.append(settings, found);

items.forEach(asQuiz);
const isOfAnotherDay = ({ id, answer }) => answer !== null && state.memories[id]?.last !== today();
if (state.round.every(isOfAnotherDay)) nextRound(); // there is none, or it is over
else showRound();
try {
  localStorage.removeItem(OLD_KEY);
} catch {}
window.addEventListener("load", openLinked); // later than the browser, which goes to the address and takes the focus
window.addEventListener("hashchange", openLinked);
