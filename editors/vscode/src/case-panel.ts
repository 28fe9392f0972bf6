// The panel of the case at the cursor.
import * as vscode from 'vscode'
import type { CasePanel as Content, PanelAction } from '../../case-panel/case-panel.ts'
import { selects } from './files.ts'
import type { TestItem } from './protocol.ts'
import type { Session } from './session.ts'

/** followDelay is how long the cursor must rest before the panel follows it, in milliseconds. */
const followDelay = 150

/** editorStyle maps the panel's colours to the editor's. */
const editorStyle = `:root {
  --line: var(--vscode-widget-border, var(--vscode-contrastBorder, #8888)); --shade: var(--vscode-textCodeBlock-background);
  --link: var(--vscode-textLink-foreground); --focus: var(--vscode-focusBorder); --button: var(--vscode-button-background);
  --button-ink: var(--vscode-button-foreground); --button-line: var(--vscode-button-border, transparent);
  --pass: var(--vscode-charts-green); --fail: var(--vscode-testing-iconFailed); --doubt: var(--vscode-editorWarning-foreground);
}
body { padding: 0 1em 2em; line-height: 1.5; color: var(--vscode-editor-foreground); background: var(--vscode-editor-background); font-size: var(--vscode-font-size); }
code, pre { font-family: var(--vscode-editor-font-family, monospace); color: inherit; background: none; }`

export class CasePanel implements vscode.Disposable {
  private panel?: vscode.WebviewPanel
  private opening?: Promise<void>
  private at?: { uri: vscode.Uri; position: vscode.Position }
  private shown?: Content & { item: TestItem }
  private asked = 0
  private answered = 0 // the latest request with a response
  private timer?: ReturnType<typeof setTimeout>
  private readonly disposables: vscode.Disposable[]

  constructor(private readonly session: Session, private readonly extensionUri: vscode.Uri) {
    this.disposables = [
      vscode.window.onDidChangeTextEditorSelection(() => this.schedule()),
      vscode.window.onDidChangeActiveTextEditor(() => this.schedule()),
      session.onView(() => (this.timer === undefined ? this.schedule() : undefined)), // after edits and results, which may never rest
    ]
  }

  /** show shows the case at the cursor, and follows the cursor until the panel is closed. */
  async show() {
    if (!vscode.window.activeTextEditor || !selects(vscode.window.activeTextEditor.document)) throw new Error('no eval file is open')
    if (!this.panel) await (this.opening ??= this.open().finally(() => (this.opening = undefined)))
    this.panel?.reveal(undefined, true)
    await this.refresh()
  }

  private async open() {
    const read = async (name: string) => new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.extensionUri, 'dist', name)))
    const [script, style] = await Promise.all([read('case-panel.js'), read('case-panel.css')])
    const panel = vscode.window.createWebviewPanel('rubric.case', 'Case', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, enableFindWidget: true, localResourceRoots: [] })
    panel.onDidDispose(() => (this.panel = this.shown = undefined))
    panel.webview.onDidReceiveMessage((action: PanelAction | { kind: 'ready' }) => this.act(action))
    panel.webview.html = page(script, `${editorStyle}\n${style}`)
    this.panel = panel
  }

  dispose() {
    clearTimeout(this.timer)
    this.panel?.dispose()
    this.disposables.forEach((d) => d.dispose())
  }

  private schedule() {
    if (!this.panel) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.refresh().catch((error) => this.session.log.warn(String(error)))
    }, followDelay)
  }

  private async refresh() {
    const editor = vscode.window.activeTextEditor // none while the panel has the focus
    if (editor && selects(editor.document)) this.at = { uri: editor.document.uri, position: editor.selection.active }
    if (!this.at) return
    const { uri, position: { line, character } } = this.at
    const asked = ++this.asked
    const content = await this.session.request<(Content & { item: TestItem }) | null>('rubric/casePanel', { textDocument: { uri: uri.toString() }, position: { line, character } })
    if (asked < this.answered) return
    this.answered = asked
    if (!content || !this.panel || JSON.stringify(content) === JSON.stringify(this.shown)) return // a click is lost if its button is drawn anew
    this.shown = content
    this.panel.title = `Case ${content.item.label}`
    await this.panel.webview.postMessage(content)
  }

  private async act(action: PanelAction | { kind: 'ready' }) {
    if (action.kind === 'ready') return void this.panel?.webview.postMessage(this.shown)
    if (!this.shown) return // the panel was closed
    const { target } = this.shown.item
    try {
      if (action.kind === 'run') await this.session.execute('rubric.runCase', target)
      if (action.kind === 'choose' && (await vscode.commands.executeCommand('rubric.target.choose', target))) {
        // The server may not have asked for the new settings yet.
        await this.session.execute('rubric.runCase', { ...target, settings: vscode.workspace.getConfiguration('rubric') })
      }
      if (action.kind === 'reveal') {
        const { line, character } = action.range.start
        await vscode.window.showTextDocument(vscode.Uri.parse(target.uri), { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(line, character, line, character) })
      }
    } catch (error) {
      this.session.showError(error)
    }
  }
}

/** page returns the page, which runs its own script and loads nothing. */
function page(script: string, style: string) {
  const nonce = crypto.randomUUID().replaceAll('-', '')
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Case</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">${style}</style></head>
<body><main class="case-panel"></main><script nonce="${nonce}">${script}</script></body></html>`
}
