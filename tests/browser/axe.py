"""What axe-core finds on a page, in less time: much on a page is alike."""

# Where the tests' server has axe: what the browser gets by its address it compiles once for all pages.
ADDRESS = "/axe.min.js"
# Colours are compared for the texts that SHORTEN marks.
MARKED = 'axe.configure({ rules: [{ id: "color-contrast", selector: "[data-judged]" }] })'
# Each element costs axe time.
# A formula has a hundred, all of the colour of its text: a letter stands in for it, which widens nothing.
# Of texts of one colour and size before the same colours, three stand for the others.
# Of elements that stand in parents alike and are alike inside, two stand for the others. Alike: the same names,
# attributes and kinds of children; of a word or an address it is only said whether there is one, of a reference whether
# what it names is there.
# On a page after one that had such texts and such elements, none does, but for headings, whose order counts, for the
# first of their siblings and for what holds a text to be judged.
# What is shortened is a copy, which stands in the page's place until axe looks again.
SHORTEN = """(before) => {
    window.bringBack?.();
    const judged = new Set(before.split("\\n"));
    const page = document.body;
    const copy = page.cloneNode(true);
    copy.querySelectorAll(".katex-display, .katex").forEach((formula) => formula.replaceWith("x"));
    page.replaceWith(copy);
    window.bringBack = () => copy.replaceWith(page);
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const met = {};
    const isMet = (kind, enough) => (met[kind] = (met[kind] ?? 0) + 1) > enough;
    const short = (text) => {  // a number for each text
        let [one, other] = [0xdeadbeef, 0x41c6ce57];
        for (let place = 0; place < text.length; place++) {
            one = Math.imul(one ^ text.charCodeAt(place), 2654435761);
            other = Math.imul(other ^ text.charCodeAt(place), 1597334677);
        }
        return `${(one ^ (other >>> 15)) >>> 0}.${(other ^ (one >>> 13)) >>> 0}`;
    };

    const kept = [];  // a colour may depend on the place among those that go
    const CLEAR = "rgba(0, 0, 0, 0)";
    const markTexts = (element, behind) => {
        const style = getComputedStyle(element);
        if (style.display === "none") {
            if (element instanceof HTMLElement && element.tagName !== "STYLE") element.dataset.unseen = "";
            return;
        }
        const { backgroundColor, backgroundImage, opacity } = style;
        if (backgroundColor !== CLEAR) {
            behind += backgroundColor;
            kept.push([element, "background-color", backgroundColor]);
        }
        behind += [backgroundImage, opacity].filter((value) => !["none", "1"].includes(value)).join();
        if (hasText(element)) {
            const kind = [style.color, style.fontSize, style.fontWeight, style.visibility, behind].join();
            if (!judged.has(kind) && !isMet(kind, 3)) {
                element.dataset.judged = "";
                kept.push([element, "color", style.color]);
            }
        }
        [...element.children].forEach((child) => markTexts(child, behind));
    };
    markTexts(document.body, "");
    kept.forEach(([element, property, value]) => element.style.setProperty(property, value, "important"));

    // Axe passes over what has no box, but for what another names, for ids, which test_site compares, and for roles.
    const REFERENCES = ["aria-controls", "aria-describedby", "aria-labelledby", "for", "headers"];
    const named = new Set(REFERENCES.flatMap((name) =>
        [...document.querySelectorAll(`[${name}]:not([data-unseen], [data-unseen] *)`)].flatMap((element) =>
            element.getAttribute(name).split(" "))));
    document.querySelectorAll("[data-unseen]").forEach((element) => {
        if (![element, ...element.querySelectorAll("[id]")].some(({ id }) => named.has(id))) element.remove();
    });
    document.querySelectorAll("pre span:not([data-judged])").forEach((word) => word.replaceWith(...word.childNodes));
    document.querySelectorAll("pre").forEach((code) => code.normalize());

    const WORDS = ["alt", "aria-label", "height", "href", "id", "name", "src", "title", "value", "width"];
    const attribute = ({ name, value }) => {
        if (WORDS.includes(name) || name.startsWith("data-")) return [name, value.trim() !== ""];
        if (REFERENCES.includes(name)) return [name, value.split(" ").every((id) => document.getElementById(id))];
        return [name, value];
    };
    const outside = (element) => JSON.stringify([element.tagName, ...[...element.attributes].map(attribute).sort()]);
    const inside = new Map();
    const whole = (element) => {
        if (!inside.has(element)) {
            const kinds = [...new Set([...element.children].map(whole))].sort();
            inside.set(element, short(`${outside(element)}(${hasText(element)}${kinds})`));
        }
        return inside.get(element);
    };
    // What is named by what it holds keeps it; a row keeps its cells, a list its terms and what is said of each, and
    // nothing is left empty.
    const NAMED = "a, button, h1, h2, h3, h4, h5, h6, label, legend, summary, th";
    const STAYS = ":first-child, h1, h2, h3, h4, h5, h6, :has([data-judged]), [data-judged]";
    const thin = (element, path) => {
        path = short(`${path}/${outside(element)}`);
        [...element.children].forEach((child) => {
            const stays = element.matches("dl, table, tr") || element.closest(NAMED);
            const kind = path + whole(child);
            const isOld = judged.has(kind) && !child.matches(STAYS);
            if ((isMet(kind, 2) || isOld) && !stays && !child.matches("label, :only-child")) child.remove();
            else thin(child, path);
        });
    };
    const texts = Object.keys(met);
    thin(document.body, "");
    return [texts.join("\\n"), Object.keys(met).slice(texts.length).join("\\n")];
}"""


RUN = "(options) => axe.run(options).then(({ violations }) => violations)"


def violations(tab, *, colours=True, judged=None):
    """The rules that the page breaks, each with elements that do; what stands there afterwards is a shortened copy.

    What has been judged need not be judged once more; a set of it gets what is on this page, too.
    """
    tab.evaluate("document.getAnimations().forEach((animation) => animation.finish())")  # no colour on its way
    judged = set() if judged is None else judged
    if not tab.evaluate("'axe' in window"):
        tab.add_script_tag(url=ADDRESS)
        tab.evaluate(MARKED)
    sheets = tab.evaluate("[...document.styleSheets].map((sheet) => sheet.href ?? sheet.ownerNode.textContent)")
    texts, elements = (met.split("\n") for met in tab.evaluate(SHORTEN, "\n".join(judged)))
    options = {
        "resultTypes": ["violations"],
        "rules": {"color-contrast": {"enabled": colours}},
        "preload": not judged.issuperset(sheets),  # styles are read for the rule on turned screens alone
    }
    faults = tab.evaluate(RUN, options)
    if not faults:
        judged.update(elements, sheets, texts if colours else [])
    return [(fault["id"], node["html"][:200]) for fault in faults for node in fault["nodes"][:3]]
