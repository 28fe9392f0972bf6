// The status bar: who judges, how far a run is, what the last one cost, and how
// the server is.
import * as vscode from 'vscode'
import type { Jobs } from './jobs.ts'
import type { Spent } from './protocol.ts'
import type { Session } from './session.ts'

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('rubric', vscode.StatusBarAlignment.Right, 50)
  private spent?: Spent

  /** shown says whether there is an eval file to show it for. */
  shown = false

  constructor(private readonly session: Session, private readonly jobs: Jobs) {
    this.item.name = 'Rubric'
    this.item.command = 'rubric.menu'
    session.onChange(() => this.draw())
  }

  /** cost shows what the last run cost. */
  cost(spent: Spent) {
    this.spent = spent
    this.draw()
  }

  draw() {
    const { jobs, done, total } = this.jobs.underWay
    const judge = vscode.workspace.getConfiguration('rubric').get('judge', '')
    const failed = this.session.state === 'failed'
    const icon = failed ? '$(error)' : jobs > 0 ? '$(sync~spin)' : vscode.workspace.isTrusted ? '$(checklist)' : '$(shield)'
    const count = jobs > 0 ? `${done}/${total}` : ''
    const cost = this.spent && jobs === 0 ? money(this.spent) : ''
    this.item.text = [`${icon} ${failed ? 'no server' : short(judge)}`, count, cost].filter(Boolean).join(' · ')
    this.item.accessibilityInformation = { label: `Rubric: judge ${judge}, server ${this.session.state}${count && `, ${count} cases`}` }
    this.item.backgroundColor = failed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined
    this.item.tooltip = this.tooltip(judge)
    if (this.shown || failed || jobs > 0) this.item.show()
    else this.item.hide()
  }

  dispose() {
    this.item.dispose()
  }

  private tooltip(judge: string) {
    const { session } = this
    const server = session.server && session.state === 'running' ? `${session.server.version}, ${session.where}` : session.fault
    return new vscode.MarkdownString([
      `**Rubric**: server ${session.state}${server ? ` (${server})` : ''}`,
      `Judge: ${judge}`,
      ...(this.spent ? [`Last results: ${this.spent.input} tokens in, ${this.spent.output} out${this.spent.usd ? `, $${this.spent.usd.toFixed(4)}` : ''}`] : []),
      ...(vscode.workspace.isTrusted ? [] : ['Nothing is run: this workspace is not trusted']),
    ].join('\n\n'))
  }
}

/** short is a judge's name as far as a status bar has room for it. */
function short(judge: string) {
  return judge.length > 24 ? `${judge.slice(0, 23)}…` : judge
}

function money({ input, output, usd }: Spent) {
  if (usd) return `$${usd.toFixed(2)}`
  return input + output > 0 ? `${input + output} tokens` : ''
}
