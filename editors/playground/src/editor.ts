// An editor for a file. It lives in a shadow root, where the library's styles need
// no exception from the page's policy.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyField, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldKeymap } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState, StateEffect, type Extension, type Text } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { clipboard } from "./clipboard";
import { client } from "./evaluator";
import { look } from "./look";
import { overtyping } from "./overtyping";
import { slice } from "./text";

/** uriOf is the name under which the language server knows a file. */
export const uriOf = (name: string): string => `file:///${encodeURIComponent(name)}`;

/** Editor is what the page does with an editor. */
export interface Editor {
  readonly name: string;
  readonly view: EditorView;
  readonly host: HTMLElement;
  /** furnishing are the steps after which there is more than the text and what is typed: what is beside and over it, and what the server says of it. */
  readonly furnishing: (() => void)[];
}

/** Events are what an editor tells of. */
export interface Events {
  changed(): void;
  /** moved is told of the line that somebody went to, from 0. */
  moved(line: number): void;
  /** run is that somebody wants the case at a line run, from 0. */
  run(line: number): void;
  /** outline is that somebody wants to see the outline. */
  outline(): void;
}

/** lineOf is the line that the caret is in, from 0. */
const lineOf = ({ doc, selection }: EditorState): number => doc.lineAt(selection.main.head).number - 1;

/** edit makes an editor for a file below a parent. One that takes the place of an earlier editor has its selection and undo history. */
export function edit(parent: HTMLElement, name: string, lines: Text, events: Events, before?: EditorState): Editor {
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
      selection: before?.selection,
      extensions: [
        clipboard, overtyping, history(), before ? historyField.init(() => before.field(historyField)) : [], look,
        keymap.of([{ key: "Mod-Shift-o", preventDefault: true, run: () => (events.outline(), true) }, { key: "Mod-Shift-Enter", run: (view) => (events.run(lineOf(view.state)), true) }, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
        EditorState.languageData.of(() => (language === "yaml" ? [{ commentTokens: { line: "#" } }] : [])),
        EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false", tabindex: "0" }),
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => {
          if (update.selectionSet && update.view.hasFocus) events.moved(lineOf(update.state));
          if (!update.docChanged) return;
          if (update.changes.newLength - update.changes.length < slice) queueMicrotask(() => client.sync());
          else setTimeout(() => client.sync()); // a long text is told of in a task of its own
          events.changed();
        }),
      ],
    }),
  });
  const more = (...extensions: Extension[]) => () => view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
  const furnishing = [
    more(lineNumbers(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(), autocompletion()),
    more(lintGutter(), client.plugin(uriOf(name), language)),
  ];
  return { name, view, host, furnishing };
}

/** reveal selects a place and shows it. */
export function reveal(editor: Editor, line: number, character: number): void {
  const at = editor.view.state.doc.line(Math.min(line + 1, editor.view.state.doc.lines));
  editor.view.dispatch({ selection: { anchor: Math.min(at.from + character, at.to) }, scrollIntoView: true });
  editor.view.focus();
}
