// What the search page says beside its results: what was meant by a word that no title has, and where to look instead.

// The page without its buttons and its contents: the theme puts these into the element that Sphinx takes its excerpts from.
Search.htmlToText = (html, anchor) => {
  const article = new DOMParser().parseFromString(html, "text/html").querySelector("article");
  if (!article) return "";
  article.querySelectorAll("h1, .headerlink, script, style, .katex-mathml").forEach((part) => part.remove());
  return ((anchor && article.querySelector(anchor)) || article).textContent.replace(/\s+/g, " ").trim();
};

// How many letters are wrong, missing, too many, or in exchanged places.
const distance = (one, other) => {
  const rows = [[...Array(other.length + 1).keys()]];
  for (let i = 1; i <= one.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const ways = [rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + !isSame];
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) ways.push(rows[i - 2][j - 2] + 1);
      rows[i].push(Math.min(...ways));
    }
  }
  return rows[one.length][other.length];
};
const { known } = JSON.parse(document.getElementById("search-words").textContent);
const meant = (word) => {
  if (word.length < 4 || known.some((other) => other.startsWith(word)) || !/^[a-z-]+$/.test(word)) return word;
  // Of words that are as near, the one with the same first letter: few people miss that.
  const weighed = known.map((other) => [distance(word, other) + (word[0] === other[0] ? 0 : 0.5), other]);
  const near = weighed.sort(([one], [other]) => one - other)[0];
  return near[0] <= (word.length < 6 ? 1 : 2) ? near[1] : word;
};

const link = (href, text) => {
  const made = document.createElement("a");
  made.href = href;
  made.textContent = text;
  return made;
};
const asked = new URLSearchParams(location.search).get("q") ?? "";
const other = asked.toLowerCase().split(/\s+/).map(meant).join(" ");
const results = document.getElementById("search-results");
if (asked && other !== asked.toLowerCase().trim().replace(/\s+/g, " ")) {
  const line = document.createElement("p");
  line.className = "did-you-mean";
  line.append("Did you mean ", link(`?q=${encodeURIComponent(other)}`, other), "?");
  results.before(line);
}
new MutationObserver((_, observer) => {
  const summary = results.querySelector(".search-summary");
  if (!summary?.textContent.includes("did not match")) return;
  observer.disconnect();
  summary.textContent = "No page has all these words. Look among ";
  summary.append(
    link("book/lessons/index.html", "the lessons"), ", ",
    link("book/reference/cards.html", "all metrics"), " or ",
    link("book/reference/glossary.html", "the terms in English and Chinese"), ", or take fewer words.",
  );
}).observe(results, { childList: true, subtree: true, characterData: true });
