// Findings in the editor, with their fixes. The library's own view shows no fixes.
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { LSPPlugin, type LSPClient, type LSPClientExtension } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { element } from "./dom";

/** Listener gets the new findings of a file. */
type Listener = (uri: string, all: lsp.Diagnostic[]) => void;

const listeners = new Set<Listener>();

/** onFindings adds a listener. */
export function onFindings(listener: Listener): void {
  listeners.add(listener);
}

/** findingText returns a finding's message. Our server sends plain text. */
export const findingText = ({ message }: lsp.Diagnostic): string => (typeof message === "string" ? message : (message as lsp.MarkupContent).value);

const severities = ["error", "error", "warning", "info", "hint"] as const;

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
        severity: severities[d.severity ?? 1] ?? "error",
        source: String(d.code ?? ""),
        message: findingText(d),
        renderMessage: (shown) => tooltip(client, uri, d, shown),
      }))));
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
  return element("div", {}, findingText(d), fixes);
}

/** fixButtons returns a button for each fix, the best first, and for the action that hides the finding. */
export async function fixButtons(client: LSPClient, uri: string, d: lsp.Diagnostic): Promise<Node[]> {
  client.sync();
  const context = { diagnostics: [d], only: ["quickfix", suppressKind] };
  const all = await client.request<lsp.CodeActionParams, lsp.CodeAction[] | null>("textDocument/codeAction", { textDocument: { uri }, range: d.range, context });
  const offered = (all ?? []).filter((a) => !a.disabled && a.diagnostics?.some((relatedFinding) => relatedFinding.code === d.code && relatedFinding.message === d.message));
  const button = (action: lsp.CodeAction, label: string, relatedFinding: string) => element("button", { type: "button", class: relatedFinding, onclick: () => void applyFix(client, uri, action) }, label);
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
