// The status bar item: what is graded and by whom, the progress and cost of runs, and the state of the server.
import * as vscode from 'vscode'
import { activeEditor } from './active-editor.ts'
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
    session.onChange(() => this.update())
  }

  /** showUsage shows the usage of the last run. */
  showUsage(usage: Usage) {
    this.lastUsage = usage
    this.update()
  }

  update() {
    const { jobs, done, total } = this.jobs.progress
    const { state, isBroken } = this.session
    const active = activeEditor()
    const names = active && this.explorer.runNames(active.document.uri)
    const what = words[state] ?? names?.label ?? 'Rubric'
    const isWaiting = jobs > 0 && done === 0 && total === 1 // otherwise the count moves, and an icon that spins is drawn anew all the time
    const icon = isBroken ? '$(error)' : isWaiting || state.endsWith('starting') ? '$(sync~spin)' : jobs > 0 ? '$(sync)' : vscode.workspace.isTrusted ? '$(checklist)' : '$(shield)'
    const count = jobs > 0 ? `${done}/${total}` : ''
    const cost = this.lastUsage && jobs === 0 ? usageText(this.lastUsage) : ''
    this.item.text = [`${icon} ${what}`, count, cost].filter(Boolean).join(' · ')
    this.item.command = isBroken ? 'rubric.restart' : 'rubric.menu'
    this.item.accessibilityInformation = { label: `Rubric: ${names ? `grades ${names.label}, ` : ''}server ${state}${count && `, ${count} cases`}${isBroken ? ', activate to restart it' : ''}` }
    this.item.backgroundColor = isBroken ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined
    this.item.tooltip = this.tooltip(names)
    if (this.isEvalFileActive || isBroken || jobs > 0) this.item.show()
    else this.item.hide()
  }

  dispose() {
    this.item.dispose()
  }

  private tooltip(names?: RunNames) {
    const { session } = this
    const server = session.server && session.state === 'running' ? `${session.server.version}, ${session.where}` : session.fault
    return new vscode.MarkdownString([
      `**Rubric**: server ${session.state}${server ? ` (${server})` : ''}`,
      ...(names ? [`Target: ${names.target}`, `Judge: ${names.judge}`] : []),
      ...(this.lastUsage ? [`Last results: ${this.lastUsage.input} tokens in, ${this.lastUsage.output} out${this.lastUsage.usd ? `, $${this.lastUsage.usd.toFixed(4)}` : ''}`] : []),
      ...(session.isBroken ? ['Click to restart the server'] : []),
      ...(vscode.workspace.isTrusted ? [] : ['Nothing runs: this workspace is not trusted']),
    ].join('\n\n'))
  }
}

/** words name the states of the server in which nothing is graded. */
const words: Partial<Record<Session['state'], string>> = {
  starting: 'Rubric: starting', restarting: 'Rubric: restarting', crashed: 'Rubric: stopped', failed: 'Rubric: no server', stopped: 'Rubric: stopped',
}

function usageText({ input, output, usd }: Usage) {
  if (usd) return `$${usd.toFixed(2)}`
  return input + output > 0 ? `${input + output} tokens` : ''
}
