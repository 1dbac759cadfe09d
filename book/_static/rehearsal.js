// Plays an interview with the questions on the page, which without this script stand there with their answers folded.
const stage = document.getElementById("rehearsal-stage");
const items = new Map(
  [...document.querySelectorAll(".rehearsal")].map((item) => [item.id.slice("rehearsal-".length), item]),
);
const [roles, minutes, following] = ["roles", "minutes", "following"].map((name) => JSON.parse(stage.dataset[name]));
const KEY = "evaluation-metrics.rehearsal";
const SECONDS = 60;
const WARNINGS = [30, 10]; // seconds left that are said aloud
const OVER = "The minute is over; take the time you need.";
const POINTS = 4;
const LEVELS = { "": "mixed", easy: "easy", medium: "medium", hard: "hard" };
const LENGTHS = [3, 5, 10];

// ---- what is kept -------------------------------------------------------------------------------------------------

// One step follows another: choose, ask, compare, end. `asked` has the questions so far, each with the points ticked and
// what was typed;
// `again` has those that were missed in the rehearsal before and are asked now, in the place of follow-ups.
const fresh = () => ({ step: "choose", asked: [], again: [], left: SECONDS, isPaused: false });
const SETTINGS = { role: Object.keys(roles)[0], level: "", length: 5, isTimed: true };

const isAsked = (entry) =>
  isRecord(entry) &&
  items.has(entry.id) &&
  Array.isArray(entry.ticked) &&
  entry.ticked.length === POINTS &&
  entry.ticked.every((isTicked) => typeof isTicked === "boolean") &&
  typeof (entry.text ?? "") === "string";
const isSound = ({ step, role, level, length, left, asked, again }) =>
  Object.hasOwn(steps, step) &&
  Object.hasOwn(roles, role) &&
  Object.hasOwn(LEVELS, level) &&
  LENGTHS.includes(length) &&
  Number.isInteger(left) &&
  [asked, again].every(Array.isArray) &&
  asked.every(isAsked) &&
  again.every((id) => items.has(id)) &&
  (asked.length > 0 || step === "choose");

const save = () => keep(KEY, state);

// ---- which question -----------------------------------------------------------------------------------------------

const kinds = new Map([...items].map(([id, item]) => [id, new Set(item.classList)]));
const topics = new Map([...items].map(([id, item]) => [id, classOf(item, "topic")]));
const has = (id, prefix, value) => !value || kinds.get(id).has(`${prefix}-${value}`);
const wasAsked = (id) => state.asked.some((entry) => entry.id === id);
const ofKind = (role, level) =>
  [...items.keys()].filter((id) => has(id, "role", role) && has(id, "level", level) && !wasAsked(id));
const current = () => state.asked.at(-1);
const missed = ({ ticked }) => ticked.filter((isTicked) => !isTicked).length;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// A question of the role and the level, of a topic that was asked least; where there is none left, of the role; then any.
const another = () => {
  let ids = ofKind(state.role, state.level);
  if (!ids.length) ids = ofKind(state.role, "");
  if (!ids.length) ids = ofKind("", "");
  const asked = state.asked.map(({ id }) => topics.get(id));
  const times = (id) => asked.filter((topic) => topic === topics.get(id)).length;
  const fewest = Math.min(...ids.map(times));
  return anyOf(ids.filter((id) => times(id) === fewest));
};

// Follow-ups that were not asked yet. One question in five may be of another role or level; those stand last.
const isOfKind = (id) => has(id, "role", state.role) && has(id, "level", state.level);
const offered = () => {
  const ids = (following[current().id] ?? []).filter((id) => items.has(id) && !wasAsked(id));
  const strangers = state.asked.filter(({ id }) => !isOfKind(id)).length;
  const mayStray = strangers < Math.floor(total() / 5);
  return [...ids.filter(isOfKind), ...ids.filter((id) => mayStray && !isOfKind(id))];
};

// An interviewer follows up once, in a long interview twice, and then turns to another topic.
const followed = () => {
  const ids = state.asked.map(({ id }) => id);
  const firsts = ids.filter((id, place) => !(following[ids[place - 1]] ?? []).includes(id));
  return ids.length - 1 - ids.lastIndexOf(firsts.at(-1));
};
const isDeep = () => followed() >= (total() < 10 ? 1 : 2);

// The follow-up that the interviewer would ask: of the topic with most points missed.
const missedOfTopic = (id) =>
  sum(state.asked.filter((entry) => topics.get(entry.id) === topics.get(id)).map(missed));
const picked = () => {
  if (isDeep()) return undefined;
  const ids = offered();
  const own = ids.filter(isOfKind);
  return (own.length ? own : ids).sort((one, other) => missedOfTopic(other) - missedOfTopic(one))[0];
};

// ---- the parts of a step ------------------------------------------------------------------------------------------

const announcer = element("p", { className: "visually-hidden", role: "status" });
const say = (text) => {
  announcer.textContent = text;
};
const board = element("div");
const heading = (text) => element("h2", { tabIndex: -1 }, text);
const questionOf = (id) => copies([...items.get(id).children].filter((part) => part.tagName === "P"));
const pointsOf = (id) => [...items.get(id).querySelector("ul").children];
const pitfallsOf = (id) => items.get(id).querySelectorAll("ul")[1].cloneNode(true);
// The answer of the question's page, which is fetched when somebody unfolds it; opened from a file there is the link alone.
const answerOf = (id) => {
  const summary = element("summary", { className: "admonition-title" }, "The model answer");
  const fold = element("details", { className: "dropdown question admonition" }, summary);
  fold.addEventListener("toggle", async () => {
    const { href, hash } = items.get(id).querySelector(".in-bank a");
    try {
      const page = new DOMParser().parseFromString(await (await fetch(href)).text(), "text/html");
      fold.append(...page.querySelector(hash).closest("details").querySelector(".answer").children);
    } catch {
      fold.append(element("p", {}, "It stands on ", element("a", { href }, "the page of the question"), "."));
    }
  }, { once: true });
  return fold;
};
const linksOf = (id) => items.get(id).querySelector(".in-bank").closest("p").cloneNode(true);
const total = () => state.again.length || state.length;
const numberOf = () => `Question ${state.asked.length} of ${total()}`;

// Ends the rehearsal; a question that nobody has answered yet does not count.
const stopButton = () =>
  button("Stop here", () => {
    const answered = state.step === "ask" ? state.asked.slice(0, -1) : state.asked;
    if (answered.length) go("end", { asked: answered });
    else go("choose", fresh());
  });

// What the interviewer asks next; the mark moves with the points that are ticked, until somebody moves it.
const whatIsNext = () => {
  suggest = () => {};
  if (state.asked.length >= total() || !another()) return [button("How did it go?", () => go("end"))];
  const next = state.again[state.asked.length];
  if (next) return [button("Next question", () => ask(next)), stopButton()];
  let isChosen = false;
  const onchange = () => {
    isChosen = true;
  };
  const radios = [...offered(), ""].map((value) =>
    element("input", { type: "radio", name: "rehearsal-next", value, onchange }),
  );
  suggest = () => {
    if (!isChosen) radios.find(({ value }) => value === (picked() ?? "")).checked = true;
  };
  suggest();
  const lines = radios.map((radio) =>
    optionLine(radio, ...(radio.value ? copies(questionOf(radio.value)[0].childNodes) : ["Something else"])),
  );
  const legend = element("legend", {}, "The interviewer goes on with the marked question; you may choose another.");
  return [
    element("fieldset", {}, legend, ...lines),
    button("Next question", () => ask(radios.find(({ checked }) => checked).value || another())),
    stopButton(),
  ];
};

// ---- the steps ----------------------------------------------------------------------------------------------------

// Each fills the board and returns what takes the focus.
const steps = {
  choose() {
    const begin = button("Begin", () => ask(another()), { className: "is-first" });
    const found = element("p");
    const showFound = () => {
      const number = ofKind(state.role, state.level).length;
      found.textContent = `${counted(number, "question")} of this kind`;
      begin.disabled = !number;
    };
    const change = (name, value) => {
      state[name] = value;
      save();
      showFound();
      say(found.textContent);
    };
    const chooser = (label, name, options, read = String) => {
      const chosen = (value) => change(name, read(value));
      return element("p", {}, ...picker(label, `rehearsal-${name}`, options, String(state[name]), chosen));
    };
    const lengths = LENGTHS.map((length) => [String(length), `${length} questions, about ${length * minutes} minutes`]);
    const timed = element("input", { type: "checkbox", checked: state.isTimed });
    timed.onchange = () => change("isTimed", timed.checked);
    showFound();
    board.replaceChildren(
      heading("What is the interview for?"),
      element("div", { className: "form" },
        chooser("Role", "role", Object.entries(roles)),
        chooser("Level", "level", Object.entries(LEVELS)),
        chooser("Length", "length", lengths, Number),
        element("div", { className: "wide" }, optionLine(timed, `A timer of ${SECONDS} seconds for each question`)),
        element("div", { className: "wide" }, begin, found)),
    );
    return board.firstChild;
  },

  ask() {
    const flip = (name) => () => {
      state[name] = !state[name];
      showTimer();
    };
    const pause = button("", flip("isPaused"));
    const toggle = button("", flip("isTimed"));
    const timer = element("p", { className: "rehearsal-timer", role: "timer" });
    showTimer = () => {
      timer.hidden = !state.isTimed;
      pause.hidden = !state.isTimed || !state.left;
      timer.textContent = state.left ? `${counted(state.left, "second")} left` : OVER;
      pause.textContent = state.isPaused ? "Start the timer again" : "Pause the timer";
      toggle.textContent = state.isTimed ? "Turn off the timer" : "Turn on the timer";
      save();
    };
    showTimer();
    const typed = element("textarea", { id: "rehearsal-text", rows: 5, value: current().text ?? "" });
    typed.oninput = () => {
      current().text = typed.value;
      save();
    };
    board.replaceChildren(
      heading(numberOf()),
      element("div", { className: "rehearsal-question" }, ...questionOf(current().id)),
      timer,
      element("p", {}, element("label", { htmlFor: "rehearsal-text" }, "Say it aloud, or type it here:"), typed),
      button("Show the model answer", () => go("compare"), { className: "is-first" }),
      pause,
      toggle,
      stopButton(),
    );
    return board.firstChild;
  },

  compare() {
    const { id, ticked, text } = current();
    const tally = element("p", { className: "practise-verdict" });
    const showTally = () => {
      tally.textContent = `${POINTS - missed(current())} of ${POINTS} points`;
    };
    const boxes = pointsOf(id).map((point, place) => {
      const box = element("input", { type: "checkbox", checked: ticked[place] });
      box.onchange = () => {
        ticked[place] = box.checked;
        save();
        showTally();
        suggest();
      };
      return optionLine(box, ...copies(point.childNodes));
    });
    showTally();
    const wrong = element("summary", { className: "admonition-title" }, "What goes wrong");
    board.replaceChildren(
      heading(numberOf()),
      element("div", { className: "rehearsal-question" }, ...questionOf(id)),
      ...(text ? [element("blockquote", { className: "rehearsal-text" }, text)] : []),
      element("fieldset", {}, element("legend", {}, "Which of these points did you make?"), ...boxes),
      tally,
      answerOf(id),
      element("details", { className: "dropdown question admonition" }, wrong, pitfallsOf(id)),
      linksOf(id),
      ...whatIsNext(),
    );
    return board.querySelector("input");
  },

  end() {
    const short = state.asked.filter(missed);
    const lines = state.asked.map((entry) => {
      const [question] = questionOf(entry.id);
      const phrases = pointsOf(entry.id)
        .filter((_, place) => !entry.ticked[place])
        .flatMap((point) => [", ", ...copies(point.querySelector("strong").childNodes)]);
      const points = `${POINTS - missed(entry)} of ${POINTS} points`;
      const said = phrases.length ? [`${points}; missed: `, ...phrases.slice(1), ". "] : [`${points}. `];
      const link = items.get(entry.id).querySelector(".in-bank").cloneNode(true);
      return element("li", {}, question, element("p", {}, ...said, link, "."));
    });
    const made = sum(state.asked.map((entry) => POINTS - missed(entry)));
    board.replaceChildren(
      heading(`${made} of ${state.asked.length * POINTS} points`),
      element("ol", { className: "rehearsal-score" }, ...lines),
    );
    if (short.length) {
      const worstFirst = [...short].sort((one, other) => missed(other) - missed(one)).map(({ id }) => id);
      board.append(
        element("h3", {}, "To read again"),
        toReread(short.map((entry) => [items.get(entry.id), missed(entry)]), "point"),
        button("Practise the ones I missed", () => start(worstFirst[0], worstFirst)),
      );
    }
    board.append(button("Another rehearsal", () => go("choose", fresh())));
    return board.firstChild;
  },
};

const show = () => steps[state.step]();

const takeFocus = () => {
  const target = show();
  stage.scrollIntoView();
  target.focus({ preventScroll: true });
};

const go = (step, changes = {}) => {
  Object.assign(state, changes, { step });
  save();
  say("");
  takeFocus();
};

const ask = (id) => {
  const ticked = Array(POINTS).fill(false);
  go("ask", { asked: [...state.asked, { id, ticked }], left: SECONDS, isPaused: false });
};

const start = (id, again = []) => {
  Object.assign(state, fresh(), { again });
  ask(id);
};

// ---- the page -----------------------------------------------------------------------------------------------------

// A link to a question begins a rehearsal with it, unless it is being asked.
const openLinked = () => {
  const id = location.hash.slice("#rehearsal-".length);
  if (!location.hash.startsWith("#rehearsal-") || !items.has(id)) return;
  history.replaceState(null, "", location.pathname + location.search); // loading the page again goes on, then
  if (current()?.id === id && state.step !== "end") takeFocus();
  else start(id);
};

let showTimer;
let suggest;
const saved = { ...SETTINGS, ...kept(KEY) };
const state = { ...SETTINGS, ...fresh(), ...(isSound(saved) && saved) };
stage.append(board, announcer);
show();
openLinked();
window.addEventListener("hashchange", openLinked);
setInterval(() => {
  if (state.step !== "ask" || !state.isTimed || state.isPaused || !state.left) return;
  state.left -= 1;
  showTimer();
  if (WARNINGS.includes(state.left)) say(`${state.left} seconds left`);
  if (!state.left) say(OVER);
}, 1000);
