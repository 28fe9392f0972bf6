// The results of a file, beside it.
import * as vscode from 'vscode'
import { page } from './page.ts'
import type { Report } from './protocol.ts'
import type { Session } from './session.ts'

export class Results implements vscode.Disposable {
  private panel?: vscode.WebviewPanel
  private uri?: vscode.Uri
  private readonly themed = vscode.window.onDidChangeActiveColorTheme(() => this.refresh().catch(() => {})) // its file may be closed

  constructor(private readonly session: Session) {}

  dispose() {
    this.themed.dispose()
    this.panel?.dispose()
  }

  /** report asks for what a file's cases last came to. */
  report(uri: vscode.Uri) {
    return this.session.request<Report>('rubric/report', { textDocument: { uri: uri.toString() } })
  }

  /** show shows a file's results; it fails with a sentence if there are none. */
  async show(uri: vscode.Uri) {
    const report = await this.report(uri)
    this.uri = uri
    this.panel ??= this.open()
    this.panel.title = `Results of ${uri.path.split('/').pop()}`
    this.draw(report)
    this.panel.reveal(undefined, true)
  }

  /** refresh draws what is shown anew, after a run or in other colours. */
  async refresh(uri = this.uri) {
    if (this.panel && uri && uri.toString() === this.uri?.toString()) this.draw(await this.report(uri))
  }

  private open() {
    const panel = vscode.window.createWebviewPanel('rubric.results', 'Results', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
      enableScripts: false, enableFindWidget: true, localResourceRoots: [],
    })
    panel.onDidDispose(() => {
      this.panel = this.uri = undefined
    })
    return panel
  }

  private draw({ html }: Report) {
    const { kind } = vscode.window.activeColorTheme
    const dark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast
    this.panel!.webview.html = page(html, dark, crypto.randomUUID().replaceAll('-', ''))
  }
}
