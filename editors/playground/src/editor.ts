// The editor of one file. It lives in a shadow root, so that the library's styles satisfy the page's content security
// policy.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyField, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldKeymap } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { search, searchKeymap, openSearchPanel } from "@codemirror/search";
import { EditorState, StateEffect, type Extension, type Text } from "@codemirror/state";
import { LSPPlugin } from "@codemirror/lsp-client";
import type * as lsp from "vscode-languageserver-protocol";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers, tooltips } from "@codemirror/view";
import { clipboard } from "./clipboard";
import { client } from "./evaluator";
import { editorTheme } from "./editor-theme";
import { fixTooltip, showFixes } from "./findings";
import { hoverLeave } from "./hover-leave";
import { replaceLines } from "./replace-lines";
import { sliceLength } from "./text";

/** uriOf returns the URI of a file for the language server. */
export const uriOf = (name: string): string => `file:///${encodeURIComponent(name)}`;

/** Editor is a file's CodeMirror editor. */
export interface Editor {
  readonly name: string;
  readonly view: EditorView;
  readonly host: HTMLElement;
  /** setupSteps add what can wait until the text is visible: gutters, completion and the language server. */
  readonly setupSteps: (() => void)[];
  /** crlf is true for a file that came with CRLF. */
  crlf?: boolean;
}

/** Events are the callbacks of an editor. */
export interface Events {
  changed(): void;
  /** moved gets the line of the caret, from 0, when the user moves it. */
  moved(line: number): void;
  /** run runs the case at a line, from 0. */
  run(line: number): void;
  /** outline shows the outline. */
  outline(): void;
}

/** caretLine returns the line of the caret, from 0. */
const caretLine = ({ doc, selection }: EditorState): number => doc.lineAt(selection.main.head).number - 1;

/** createEditor creates the editor of a file. It takes the selection and undo history of an earlier state. */
export function createEditor(parent: HTMLElement, name: string, lines: Text, events: Events, earlier?: EditorState): Editor {
  const host = document.createElement("div");
  host.className = "host";
  parent.append(host);
  const root = host.attachShadow({ mode: "open" });
  const language = /\.jsonl?$/.test(name) ? "json" : "yaml";
  const view = new EditorView({
    parent: root as unknown as Element,
    root,
    state: EditorState.create({
      doc: lines,
      selection: earlier?.selection,
      extensions: [
        clipboard, replaceLines, history(), earlier ? historyField.init(() => earlier.field(historyField)) : [], editorTheme,
        fixTooltip, hoverLeave, tooltips({ tooltipSpace: ({ dom }) => dom.getBoundingClientRect() }), search({ top: true }),
        keymap.of([{ key: "Mod-.", run: showFixes, preventDefault: true }, { key: "Mod-Shift-o", preventDefault: true, run: () => (events.outline(), true) }, { key: "Mod-Shift-Enter", run: (view) => (events.run(caretLine(view.state)), true) }, ...closeBracketsKeymap, ...searchKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
        EditorState.languageData.of(() => (language === "yaml" ? [{ commentTokens: { line: "#" } }] : [])),
        EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false", tabindex: "0" }),
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => {
          if (update.selectionSet) events.moved(caretLine(update.state));
          if (!update.docChanged) return;
          // sync sends didChange.
          if (update.changes.newLength - update.changes.length < sliceLength) queueMicrotask(() => client.sync());
          else setTimeout(() => client.sync()); // a long text in a task of its own
          events.changed();
        }),
      ],
    }),
  });
  const appendExtensions = (...extensions: Extension[]) => () => view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
  const setupSteps = [
    appendExtensions(lineNumbers(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(), autocompletion()),
    appendExtensions(lintGutter(), client.plugin(uriOf(name), language)),
  ];
  return { name, view, host, setupSteps };
}

/** reveal moves the caret to a position and scrolls there. */
export function reveal(editor: Editor, line: number, character: number): void {
  const targetLine = editor.view.state.doc.line(Math.min(line + 1, editor.view.state.doc.lines));
  editor.view.dispatch({ selection: { anchor: Math.min(targetLine.from + character, targetLine.to) }, scrollIntoView: true });
  editor.view.focus();
}

/** scrollToLine moves the caret to a line, from 0, and shows it near the top. It does not move the focus. */
export function scrollToLine({ view }: Editor, line: number): void {
  const { from } = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 48 }) });
}

/** find opens the panel that finds and replaces text. */
export const find = ({ view }: Editor): boolean => openSearchPanel(view);

/** applyEdits makes the server's edits to the text, and shows the first of them. */
export function applyEdits({ view }: Editor, edits: lsp.TextEdit[]): void {
  const plugin = LSPPlugin.get(view);
  if (!plugin || !edits.length) return;
  const changes = edits.map((e) => ({ from: plugin.fromPosition(e.range.start, plugin.syncedDoc), to: plugin.fromPosition(e.range.end, plugin.syncedDoc), insert: e.newText }));
  view.dispatch({ changes, userEvent: "input.fix", effects: EditorView.scrollIntoView(changes[0].from, { y: "center" }) });
}
