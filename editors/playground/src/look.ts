// How an editor looks: in the page's colours, which the browser's theme chooses.
import { EditorView } from "@codemirror/view";

/** look is its theme. */
export const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--chosen)" },
  ".cm-hint": { color: "var(--faint)", fontSize: "0.85em", padding: "0 0.4em", fontStyle: "italic" },
  ".cm-lenses": { color: "var(--faint)", lineHeight: "20px", marginInlineStart: "6px", whiteSpace: "nowrap", overflow: "hidden", textOverflow: "ellipsis" },
  ".cm-lenses > *": { all: "unset", fontSize: "0.85em" },
  ".cm-lenses > * + *": { marginInlineStart: "0.8em" },
  ".cm-lenses > button": { cursor: "pointer", color: "var(--accent)" },
  ".cm-lenses > button:hover": { textDecoration: "underline" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--edge)", maxWidth: "min(36rem, 90vw)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-lsp-hover-tooltip, .cm-lsp-documentation": { padding: "0.25rem 0.6rem" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)", minHeight: "24px" },
  ".cm-is-property": { color: "var(--accent)" },
  ".cm-is-class, .cm-is-function, .cm-is-variable, .cm-is-label": { color: "var(--name)", fontWeight: "600" },
  ".cm-is-string": { color: "var(--pass)" },
  ".cm-is-number, .cm-is-keyword, .cm-is-enumMember": { color: "var(--borderline)" },
  ".cm-is-comment": { color: "var(--faint)", fontStyle: "italic" },
  // Lines and letters, in place of the library's pictures, which the first finding would wait for.
  ".cm-lintRange": { backgroundImage: "none !important", textDecoration: "underline wavy", textDecorationSkipInk: "none" },
  ".cm-lintRange-error": { textDecorationColor: "var(--fail)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--borderline)" },
  ".cm-lintRange-info, .cm-lintRange-hint": { textDecorationColor: "var(--accent)" },
  ".cm-lint-marker": { content: "normal !important", lineHeight: "1em" },
  ".cm-lint-marker-error::before": { content: "'●'", color: "var(--fail)" },
  ".cm-lint-marker-warning::before": { content: "'▲'", color: "var(--borderline)" },
  ".cm-lint-marker-info::before, .cm-lint-marker-hint::before": { content: "'■'", color: "var(--accent)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
}, {});
