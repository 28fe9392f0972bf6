// Findings in the editor, with their fixes. The library's own view shows no fixes.
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { LSPPlugin, type LSPClient, type LSPClientExtension } from "@codemirror/lsp-client";
import { StateEffect, StateField } from "@codemirror/state";
import { showTooltip, type EditorView, type Tooltip } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { element, inlineCode } from "./dom";

/** Listener gets the new findings of a file. */
type Listener = (uri: string, all: lsp.Diagnostic[]) => void;

const listeners = new Set<Listener>();

/** onFindings adds a listener. */
export function onFindings(listener: Listener): void {
  listeners.add(listener);
}

/** findingText returns a finding's message. Our server sends plain text. */
export const findingText = ({ message }: lsp.Diagnostic): string => (typeof message === "string" ? message : (message as lsp.MarkupContent).value);

const severities = ["error", "error", "warning", "info", "hint"] as const; // by the number in the protocol; a finding without one is an error

/** severityOf returns the word for a finding's severity. */
export const severityOf = ({ severity = 1 }: lsp.Diagnostic) => severities[severity] ?? "error";

/** isProblem reports whether a finding is an error or a warning. */
export const isProblem = (d: lsp.Diagnostic): boolean => ["error", "warning"].includes(severityOf(d));

/** published has the current findings of each file. */
const published = new Map<string, lsp.Diagnostic[]>();

/** suppressKind is the kind of actions that hide a finding. */
const suppressKind = "suppress.rubric";

/** findingsExtension shows published diagnostics if they are about the current version of the text. */
export const findingsExtension: LSPClientExtension = {
  clientCapabilities: {
    textDocument: {
      publishDiagnostics: { versionSupport: true, relatedInformation: true },
      codeAction: {
        dataSupport: true,
        resolveSupport: { properties: ["edit"] },
        isPreferredSupport: true,
        codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", suppressKind] } },
      },
    },
  },
  notificationHandlers: {
    "textDocument/publishDiagnostics"(client, { uri, version, diagnostics }: lsp.PublishDiagnosticsParams) {
      const file = client.workspace.getFile(uri);
      const view = file?.getView();
      const plugin = view && LSPPlugin.get(view);
      if (!file || !plugin || (version !== undefined && version !== file.version)) return false;
      const offset = offsetOf(plugin);
      view.dispatch(setDiagnostics(view.state, diagnostics.map((d): Diagnostic => ({
        from: offset(d.range.start),
        to: offset(d.range.end),
        severity: severityOf(d),
        source: String(d.code ?? ""),
        message: findingText(d),
        renderMessage: (shown) => tooltip(client, uri, d, shown),
      }))));
      published.set(uri, diagnostics);
      for (const listener of listeners) listener(uri, diagnostics);
      return true;
    },
  },
};

/** offsetOf maps a position of the server to an offset in the current text. */
const offsetOf = (plugin: LSPPlugin) => (p: lsp.Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(p, plugin.syncedDoc));

/** tooltip shows a finding, and requests its fixes. */
function tooltip(client: LSPClient, uri: string, d: lsp.Diagnostic, view: EditorView): Node {
  const fixes = element("div", { class: "cm-fixes" });
  void fixButtons(client, uri, d).then((buttons) => {
    fixes.replaceChildren(...buttons);
    view.requestMeasure(); // the tooltip has grown
  }, () => undefined);
  return element("div", {}, element("div", {}, ...inlineCode(findingText(d))), fixes);
}

const setFixTooltip = StateEffect.define<Tooltip | null>();

/** fixTooltip shows the fixes at the caret until the caret or the text moves. */
export const fixTooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { effects, docChanged, selection }) => effects.find((e) => e.is(setFixTooltip))?.value ?? (docChanged || selection || effects.some((e) => e.is(setFixTooltip)) ? null : shown),
  provide: (field) => showTooltip.from(field),
});

/** showFixes shows the findings in the caret's line with their fixes. Escape returns to the text. */
export function showFixes(view: EditorView): boolean {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return false;
  const { head } = view.state.selection.main, line = view.state.doc.lineAt(head).number - 1;
  const here = (published.get(plugin.uri) ?? []).filter((d) => d.range.start.line <= line && line <= d.range.end.line);
  if (!here.length) return false;
  const dom = element("div", { class: "cm-tooltip-lint cm-tooltip-fixes", onkeydown: (event) => {
    if ((event as KeyboardEvent).key !== "Escape") return;
    view.dispatch({ effects: setFixTooltip.of(null) });
    view.focus();
  } });
  void Promise.all(here.map(async (d) => element("div", {}, element("div", {}, ...inlineCode(findingText(d))), element("div", { class: "cm-fixes" }, ...await fixButtons(plugin.client, plugin.uri, d))))).then((rows) => {
    dom.replaceChildren(...rows);
    view.requestMeasure();
    dom.querySelector("button")?.focus();
  }, () => undefined);
  view.dispatch({ effects: setFixTooltip.of({ pos: head, above: true, create: () => ({ dom }) }) });
  return true;
}

/** fixButtons returns a button for each fix, the best first, and for the action that hides the finding. */
export async function fixButtons(client: LSPClient, uri: string, d: lsp.Diagnostic): Promise<HTMLElement[]> {
  return buttonsFor(client, uri, d, await requestActions(client, uri, [d]));
}

/** requestActions requests the actions for findings. */
export async function requestActions(client: LSPClient, uri: string, diagnostics: lsp.Diagnostic[]): Promise<lsp.CodeAction[]> {
  client.sync();
  const range = { start: diagnostics[0].range.start, end: diagnostics[0].range.end };
  for (const { range: { start, end } } of diagnostics) {
    if (start.line < range.start.line) range.start = start;
    if (end.line > range.end.line) range.end = end;
  }
  return (await client.request<lsp.CodeActionParams, lsp.CodeAction[] | null>("textDocument/codeAction", { textDocument: { uri }, range, context: { diagnostics, only: ["quickfix", suppressKind] } })) ?? [];
}

const isSamePlace = (a: lsp.Range, b: lsp.Range): boolean => a.start.line === b.start.line && a.start.character === b.start.character;

/** buttonsFor returns the buttons of a finding's actions. */
export function buttonsFor(client: LSPClient, uri: string, d: lsp.Diagnostic, all: lsp.CodeAction[]): HTMLElement[] {
  const offered = all.filter((a) => !a.disabled && a.diagnostics?.some(({ code, message, range }) => code === d.code && message === d.message && isSamePlace(range, d.range)));
  const button = (action: lsp.CodeAction, label: string, style: string) => element("button", { type: "button", class: style, onclick: () => void applyFix(client, uri, action) }, ...inlineCode(label));
  const fixes = offered.filter((a) => a.kind !== suppressKind);
  return [
    ...(fixes.length ? fixes.map((a) => button(a, a.title, "fix")) : [element("span", { class: "cm-no-fix" }, "No automatic fix. ")]),
    ...offered.filter((a) => a.kind === suppressKind).map((a) => button(a, "Ignore this finding here…", "ignore")),
  ];
}

/** applyFix applies a fix. In a comment that hides a finding it selects the reason, for the user to replace. */
async function applyFix(client: LSPClient, uri: string, action: lsp.CodeAction): Promise<void> {
  const file = client.workspace.getFile(uri);
  const view = file?.getView();
  const resolved = action.edit ? action : await client.request<lsp.CodeAction, lsp.CodeAction>("codeAction/resolve", action);
  const plugin = view && LSPPlugin.get(view);
  if (!view || !plugin) return;
  const offset = offsetOf(plugin);
  const changes = editsOf(resolved.edit, uri).map((e) => ({ from: offset(e.range.start), to: offset(e.range.end), insert: e.newText }));
  const [first] = changes;
  const reason = action.kind === suppressKind && first ? first.from + first.insert.lastIndexOf("reason") : -1;
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true, selection: reason < 0 ? undefined : { anchor: reason, head: reason + "reason".length } });
  view.focus();
}

function editsOf(edit: lsp.WorkspaceEdit | undefined, uri: string): lsp.TextEdit[] {
  const direct = edit?.changes?.[uri] ?? [];
  const versioned = (edit?.documentChanges ?? []).flatMap((c) => ("edits" in c && c.textDocument.uri === uri ? c.edits : []));
  return [...direct, ...(versioned as lsp.TextEdit[])];
}
