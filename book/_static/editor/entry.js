// An editor in the place of a text area: what `codemirror.js` is bundled from, see README.md.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting,
} from "@codemirror/language";
import { python } from "@codemirror/legacy-modes/mode/python";
import { sqlite } from "@codemirror/legacy-modes/mode/sql";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
]);
const look = EditorView.theme({
  "&": { color: "var(--pst-color-text-base)", font: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { caretColor: "var(--pst-color-text-base)", fontFamily: "var(--pst-font-family-monospace)", padding: "0" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--pst-color-text-muted)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid currentColor" },
});

// `attributes` are those of the element that is written in; `run` is called by Ctrl + Enter.
export const codeMirror = ({ text, anchor, head, language, attributes, changed, run }) =>
  new EditorView({
    state: EditorState.create({
      doc: text,
      selection: { anchor, head },
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        lineNumbers(),
        history(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        StreamLanguage.define(language === "sql" ? sqlite : python),
        syntaxHighlighting(colours),
        look,
        EditorView.contentAttributes.of(attributes),
        EditorView.editorAttributes.of({ class: "python-code" }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
