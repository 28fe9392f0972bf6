// The status bar item: the judge, the progress and cost of runs, and the state of the server.
import * as vscode from 'vscode'
import type { Explorer } from './explorer.ts'
import type { Jobs } from './jobs.ts'
import type { RunNames, Usage } from './protocol.ts'
import type { Session } from './session.ts'

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('rubric', vscode.StatusBarAlignment.Right, 50)
  private lastUsage?: Usage

  /** isEvalFileActive reports whether the active editor shows an eval file. */
  isEvalFileActive = false

  constructor(private readonly session: Session, private readonly jobs: Jobs, private readonly explorer: Explorer) {
    this.item.name = 'Rubric'
    this.item.command = 'rubric.menu'
    session.onChange(() => this.update())
  }

  /** showUsage shows the usage of the last run. */
  showUsage(usage: Usage) {
    this.lastUsage = usage
    this.update()
  }

  update() {
    const { jobs, done, total } = this.jobs.progress
    const active = vscode.window.activeTextEditor
    const names = active && this.explorer.runNames(active.document.uri)
    const judge = names?.judge ?? ''
    const failed = this.session.state === 'failed'
    const icon = failed ? '$(error)' : jobs > 0 ? '$(sync~spin)' : vscode.workspace.isTrusted ? '$(checklist)' : '$(shield)'
    const count = jobs > 0 ? `${done}/${total}` : ''
    const cost = this.lastUsage && jobs === 0 ? usageText(this.lastUsage) : ''
    this.item.text = [`${icon} ${failed ? 'no server' : shortName(judge || 'Rubric')}`, count, cost].filter(Boolean).join(' · ')
    this.item.accessibilityInformation = { label: `Rubric: ${judge && `judge ${judge}, `}server ${this.session.state}${count && `, ${count} cases`}` }
    this.item.backgroundColor = failed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined
    this.item.tooltip = this.tooltip(names)
    if (this.isEvalFileActive || failed || jobs > 0) this.item.show()
    else this.item.hide()
  }

  dispose() {
    this.item.dispose()
  }

  private tooltip(names?: RunNames) {
    const { session } = this
    const server = session.server && session.state === 'running' ? `${session.server.version}, ${session.where}` : session.startError
    return new vscode.MarkdownString([
      `**Rubric**: server ${session.state}${server ? ` (${server})` : ''}`,
      ...(names ? [`Target: ${names.target}`, `Judge: ${names.judge}`] : []),
      ...(this.lastUsage ? [`Last results: ${this.lastUsage.input} tokens in, ${this.lastUsage.output} out${this.lastUsage.usd ? `, $${this.lastUsage.usd.toFixed(4)}` : ''}`] : []),
      ...(vscode.workspace.isTrusted ? [] : ['Nothing runs: this workspace is not trusted']),
    ].join('\n\n'))
  }
}

/** shortName shortens a judge's name for the status bar. */
function shortName(judge: string) {
  return judge.length > 24 ? `${judge.slice(0, 23)}…` : judge
}

function usageText({ input, output, usd }: Usage) {
  if (usd) return `$${usd.toFixed(2)}`
  return input + output > 0 ? `${input + output} tokens` : ''
}
