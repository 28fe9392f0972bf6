// Findings in the editor, with their fixes. The library's own view of them knows
// no fixes.
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { LSPPlugin, type LSPClient, type LSPClientExtension } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

/** Listener is told of the findings of a file whenever there are new ones. */
type Listener = (uri: string, all: lsp.Diagnostic[]) => void;

const listeners = new Set<Listener>();

/** onFindings has a listener told. */
export function onFindings(listener: Listener): void {
  listeners.add(listener);
}

/** words are what a finding says; servers may mark them up, ours does not. */
export const words = ({ message }: lsp.Diagnostic): string => (typeof message === "string" ? message : (message as lsp.MarkupContent).value);

const severities = ["error", "error", "warning", "info", "hint"] as const;

/** findings shows what the server publishes, if it is about the text as it is. */
export const findings: LSPClientExtension = {
  clientCapabilities: {
    textDocument: {
      publishDiagnostics: { versionSupport: true, relatedInformation: true },
      codeAction: {
        dataSupport: true,
        resolveSupport: { properties: ["edit"] },
        isPreferredSupport: true,
        codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor"] } },
      },
    },
  },
  notificationHandlers: {
    "textDocument/publishDiagnostics"(client, { uri, version, diagnostics }: lsp.PublishDiagnosticsParams) {
      const file = client.workspace.getFile(uri);
      const view = file?.getView();
      const plugin = view && LSPPlugin.get(view);
      if (!file || !plugin || (version !== undefined && version !== file.version)) return false;
      const offset = offsets(plugin);
      view.dispatch(setDiagnostics(view.state, diagnostics.map((d): Diagnostic => ({
        from: offset(d.range.start),
        to: offset(d.range.end),
        severity: severities[d.severity ?? 1] ?? "error",
        source: String(d.code ?? ""),
        message: words(d),
        actions: [{ name: "Fixes", apply: (shown) => void choose(client, uri, d, shown) }],
      }))));
      for (const listener of listeners) listener(uri, diagnostics);
      return true;
    },
  },
};

/** offsets gives a position of the server's its place in the text as it is now. */
const offsets = (plugin: LSPPlugin) => (p: lsp.Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(p, plugin.syncedDoc));

/** fixes are what can be done about a finding, the best first. */
export async function fixes(client: LSPClient, uri: string, d: lsp.Diagnostic): Promise<lsp.CodeAction[]> {
  client.sync();
  const context = { diagnostics: [d], only: ["quickfix"] };
  const all = await client.request<lsp.CodeActionParams, lsp.CodeAction[] | null>("textDocument/codeAction", { textDocument: { uri }, range: d.range, context });
  return (all ?? []).filter((a) => !a.disabled);
}

/** apply makes a fix in the editor. */
export async function apply(client: LSPClient, uri: string, action: lsp.CodeAction): Promise<void> {
  const file = client.workspace.getFile(uri);
  const view = file?.getView();
  const whole = action.edit ? action : await client.request<lsp.CodeAction, lsp.CodeAction>("codeAction/resolve", action);
  const plugin = view && LSPPlugin.get(view);
  if (!view || !plugin) return;
  const offset = offsets(plugin);
  const changes = editsOf(whole.edit, uri).map((e) => ({ from: offset(e.range.start), to: offset(e.range.end), insert: e.newText }));
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
  view.focus();
}

function editsOf(edit: lsp.WorkspaceEdit | undefined, uri: string): lsp.TextEdit[] {
  const direct = edit?.changes?.[uri] ?? [];
  const versioned = (edit?.documentChanges ?? []).flatMap((c) => ("edits" in c && c.textDocument.uri === uri ? c.edits : []));
  return [...direct, ...(versioned as lsp.TextEdit[])];
}

/** choose makes the best fix of a finding, if there is one. */
async function choose(client: LSPClient, uri: string, d: lsp.Diagnostic, view: EditorView): Promise<void> {
  const [best] = await fixes(client, uri, d);
  if (best) await apply(client, uri, best);
  view.focus();
}
