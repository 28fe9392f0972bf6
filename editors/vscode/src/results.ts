// The results panel.
import * as vscode from 'vscode'
import type { Explorer } from './explorer.ts'
import { reportPage } from './report-page.ts'
import type { Report } from './protocol.ts'
import type { Session } from './session.ts'

export class Results implements vscode.Disposable {
  private panel?: vscode.WebviewPanel
  private uri?: vscode.Uri
  private stale = 0 // cases whose text has changed since, as the panel says
  private readonly listeners: vscode.Disposable[]

  constructor(private readonly session: Session, { onLoad }: Explorer) {
    const ignore = () => {} // the file may be closed
    this.listeners = [
      vscode.window.onDidChangeActiveColorTheme(() => this.refresh().catch(ignore)),
      onLoad((uri) => this.markStale(uri).catch(ignore)),
    ]
  }

  dispose() {
    this.listeners.forEach((listener) => listener.dispose())
    this.panel?.dispose()
  }

  /** report requests the report of a file's last results, or only its numbers. */
  report(uri: vscode.Uri, withoutPage = false) {
    return this.session.request<Report>('rubric/report', { textDocument: { uri: uri.toString() }, withoutPage })
  }

  /** show shows the results of a file. It throws if there are none. */
  async show(uri: vscode.Uri) {
    const report = await this.report(uri)
    this.uri = uri
    this.panel ??= this.createPanel()
    this.panel.title = `Results of ${uri.path.split('/').pop()}`
    this.render(report)
    this.panel.reveal(undefined, true)
  }

  /** refresh updates the panel after a run or a change of theme. */
  async refresh(uri = this.uri) {
    const isShown = () => uri?.toString() === this.uri?.toString() // the panel may show another file by the time of the response
    if (!uri || !isShown()) return
    const report = await this.report(uri)
    if (isShown()) this.render(report)
  }

  /** markStale updates the panel after an edit that changes how many results are of an older text. */
  private async markStale(uri: vscode.Uri) {
    if (uri.toString() === this.uri?.toString() && (await this.report(uri, true)).stale !== this.stale) await this.refresh()
  }

  private createPanel() {
    const panel = vscode.window.createWebviewPanel('rubric.results', 'Results', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
      enableScripts: false, enableFindWidget: true, localResourceRoots: [],
    })
    panel.onDidDispose(() => {
      this.panel = this.uri = undefined
    })
    return panel
  }

  private render({ html, cases, stale }: Report) {
    this.stale = stale
    const { kind } = vscode.window.activeColorTheme
    const dark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast
    this.panel!.webview.html = reportPage(html, dark, crypto.randomUUID().replaceAll('-', ''), stale > 0 ? `${stale} of ${cases} stale: the text has changed since the run.` : '')
  }
}
