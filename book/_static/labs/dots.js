// What the labs of scored items share: items as letters, their pairs, and dots at their scores.

{
const { sum, element } = labs;

// The probability that a positive scores above a negative, a tie one half: pairs in the right order, and all pairs.
const pairs = (items) => {
  const scores = (wanted) => items.filter(({ positive }) => positive === wanted).map(({ score }) => score);
  const negatives = scores(false);
  const all = scores(true).flatMap((high) => negatives.map((low) => (high > low ? 1 : high === low ? 0.5 : 0)));
  return [sum(all), all.length];
};

// Items as letters: the place in the alphabet is the score, a capital is a positive.
const fromLetters = (letters) =>
  [...letters].map((letter) => ({ score: parseInt(letter, 36) - 10, positive: letter < "a" }));
const toLetters = (items) =>
  items.map(({ score, positive }) => (score + 10).toString(36)[positive ? "toUpperCase" : "toLowerCase"]()).join("");

// Dots at their scores in a strip of so many columns: positives stand on the axis, negatives hang below it.
const place = (strip, items, columns) => {
  const dots = strip.querySelector(".lab-dots");
  if (dots.children.length !== items.length)
    dots.replaceChildren(...items.map(() => element("span", { className: "lab-dot" })));
  const heights = new Map();
  items.forEach(({ positive, score, text = "" }, i) => {
    const key = `${positive}${score}`;
    const height = heights.get(key) ?? 0;
    heights.set(key, height + 1);
    const dot = dots.children[i];
    if (dot.textContent !== text) dot.textContent = text;
    dot.classList.toggle("is-positive", positive);
    dot.style.left = `${((score + 0.5) * 100) / columns}%`;
    dot.style.setProperty("--height", height + 0.5);
  });
  strip.style.setProperty("--highest", Math.max(...heights.values()));
};

Object.assign(labs, { pairs, fromLetters, toLetters, place });
}
