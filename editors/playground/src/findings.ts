// Findings in the editor, with their fixes. The library's own view of them knows
// no fixes.
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { LSPPlugin, type LSPClient, type LSPClientExtension } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import { element } from "./dom";

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

/** suppress is the kind of the action that hides a finding. */
const suppress = "suppress.rubric";

/** findings shows what the server publishes, if it is about the text as it is. */
export const findings: LSPClientExtension = {
  clientCapabilities: {
    textDocument: {
      publishDiagnostics: { versionSupport: true, relatedInformation: true },
      codeAction: {
        dataSupport: true,
        resolveSupport: { properties: ["edit"] },
        isPreferredSupport: true,
        codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", suppress] } },
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
        renderMessage: (shown) => tooltip(client, uri, d, shown),
      }))));
      for (const listener of listeners) listener(uri, diagnostics);
      return true;
    },
  },
};

/** offsets gives a position of the server's its place in the text as it is now. */
const offsets = (plugin: LSPPlugin) => (p: lsp.Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(p, plugin.syncedDoc));

/** tooltip is a finding with its fixes, which are asked for when it is shown. */
function tooltip(client: LSPClient, uri: string, d: lsp.Diagnostic, view: EditorView): Node {
  const fixes = element("div", { class: "cm-fixes" });
  void fixButtons(client, uri, d).then((buttons) => {
    fixes.replaceChildren(...buttons);
    view.requestMeasure(); // the tooltip is larger now
  }, () => undefined);
  return element("div", {}, words(d), fixes);
}

/** fixButtons are a finding's fixes, the best first, each by its title, and last the action that hides the finding. */
export async function fixButtons(client: LSPClient, uri: string, d: lsp.Diagnostic): Promise<Node[]> {
  client.sync();
  const context = { diagnostics: [d], only: ["quickfix", suppress] };
  const all = await client.request<lsp.CodeActionParams, lsp.CodeAction[] | null>("textDocument/codeAction", { textDocument: { uri }, range: d.range, context });
  const offered = (all ?? []).filter((a) => !a.disabled && a.diagnostics?.some((of) => of.code === d.code && of.message === d.message));
  const button = (action: lsp.CodeAction, label: string, of: string) => element("button", { type: "button", class: of, onclick: () => void apply(client, uri, action) }, label);
  const fixes = offered.filter((a) => a.kind !== suppress);
  return [
    ...(fixes.length ? fixes.map((a) => button(a, a.title, "fix")) : [element("span", { class: "cm-no-fix" }, "No automatic fix. ")]),
    ...offered.filter((a) => a.kind === suppress).map((a) => button(a, "Ignore this finding here…", "ignore")),
  ];
}

/** apply makes a fix in the editor. Of a comment that hides a finding it selects the reason, for somebody to write one. */
async function apply(client: LSPClient, uri: string, action: lsp.CodeAction): Promise<void> {
  const file = client.workspace.getFile(uri);
  const view = file?.getView();
  const whole = action.edit ? action : await client.request<lsp.CodeAction, lsp.CodeAction>("codeAction/resolve", action);
  const plugin = view && LSPPlugin.get(view);
  if (!view || !plugin) return;
  const offset = offsets(plugin);
  const changes = editsOf(whole.edit, uri).map((e) => ({ from: offset(e.range.start), to: offset(e.range.end), insert: e.newText }));
  const [first] = changes;
  const reason = action.kind === suppress && first ? first.from + first.insert.lastIndexOf("reason") : -1;
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true, selection: reason < 0 ? undefined : { anchor: reason, head: reason + "reason".length } });
  view.focus();
}

function editsOf(edit: lsp.WorkspaceEdit | undefined, uri: string): lsp.TextEdit[] {
  const direct = edit?.changes?.[uri] ?? [];
  const versioned = (edit?.documentChanges ?? []).flatMap((c) => ("edits" in c && c.textDocument.uri === uri ? c.edits : []));
  return [...direct, ...(versioned as lsp.TextEdit[])];
}
