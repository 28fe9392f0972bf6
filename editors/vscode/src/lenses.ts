// Requests the lenses near what editors show. VS Code makes an element for each lens that it has, on the screen or not.
import * as vscode from 'vscode'
import type { BaseLanguageClient, CodeLens } from 'vscode-languageclient'

/** margin is the number of lines around the visible ones whose lenses are requested. */
const margin = 200

export class Lenses implements vscode.Disposable {
  private client?: BaseLanguageClient
  private readonly requested = new WeakMap<vscode.TextDocument, vscode.Range[]>()
  private readonly scrolled = new WeakSet<vscode.TextDocument>() // the editor asks again because of a scroll
  private readonly listener = vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document }, visibleRanges }) => {
    const requested = this.requested.get(document)
    if (!requested || this.scrolled.has(document) || visibleRanges.every((visible) => requested.some((range) => range.contains(visible)))) return
    const provider = this.client?.getFeature('textDocument/codeLens').getProvider(document)
    if (!provider) return
    this.scrolled.add(document)
    provider.onDidChangeCodeLensEmitter.fire()
  })

  /** onRequest receives a document whose lenses the editor wants, unless because of a scroll. */
  constructor(private readonly onRequest: (document: vscode.TextDocument) => void) {}

  dispose() {
    this.listener.dispose()
  }

  /** provide returns the lenses near what editors show of a document. */
  async provide(client: BaseLanguageClient, document: vscode.TextDocument, token: vscode.CancellationToken) {
    this.client = client
    if (!this.scrolled.delete(document)) this.onRequest(document)
    const ranges = rangesNearby(document)
    this.requested.set(document, ranges)
    const { code2ProtocolConverter: convert } = client
    const lenses = await Promise.all(ranges.map((range) => client.sendRequest<CodeLens[] | null>('rubric/codeLens', { ...convert.asCodeLensParams(document), range: convert.asRange(range) }, token)))
    return client.protocol2CodeConverter.asCodeLenses(lenses.flatMap((some) => some ?? []), token)
  }
}

/** rangesNearby returns the lines near those that editors show, or all lines if no editor shows the document. */
function rangesNearby(document: vscode.TextDocument) {
  const all: vscode.Range[] = []
  const visible = vscode.window.visibleTextEditors.filter((editor) => editor.document === document).flatMap((editor) => editor.visibleRanges)
  for (const { start, end } of visible.toSorted((a, b) => a.start.compareTo(b.start))) {
    const range = new vscode.Range(Math.max(0, start.line - margin), 0, end.line + margin, 0)
    const last = all.at(-1)
    if (last && range.intersection(last)) all.splice(-1, 1, last.union(range))
    else all.push(range)
  }
  return all.length > 0 ? all : [new vscode.Range(0, 0, document.lineCount, 0)]
}
