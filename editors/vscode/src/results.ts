// The results panel.
import * as vscode from 'vscode'
import { reportPage } from './report-page.ts'
import type { Report } from './protocol.ts'
import type { Session } from './session.ts'

export class Results implements vscode.Disposable {
  private panel?: vscode.WebviewPanel
  private uri?: vscode.Uri
  private readonly themeListener = vscode.window.onDidChangeActiveColorTheme(() => this.refresh().catch(() => {})) // the file may be closed

  constructor(private readonly session: Session) {}

  dispose() {
    this.themeListener.dispose()
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
    if (this.panel && uri && uri.toString() === this.uri?.toString()) this.render(await this.report(uri))
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

  private render({ html }: Report) {
    const { kind } = vscode.window.activeColorTheme
    const dark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast
    this.panel!.webview.html = reportPage(html, dark, crypto.randomUUID().replaceAll('-', ''))
  }
}
