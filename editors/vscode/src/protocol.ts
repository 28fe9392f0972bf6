// The server's own methods and commands. lsp/README.md documents them.
import type { Range } from 'vscode-languageclient'
import type { RunPlan } from '../../../wasm/npm/api.js'

/** Target is the target of a command: a file, a case or a criterion. */
export interface Target {
  uri: string
  case?: string
  grader?: string
  criterion?: string
}

/** TestItem is a suite, case, criterion or metric. */
export interface TestItem {
  id: string
  kind: 'suite' | 'case' | 'criterion' | 'metric'
  label: string
  range?: Range
  /** where to show its result, if not at `range` */
  told?: Range
  target: Target
  children: TestItem[]
  /** more says that the children of a case are left out */
  more?: boolean
  /** result is that of the last run */
  result?: { state: ItemResult['state']; text: string; message?: string; stale?: boolean }
  /** run says, for a suite, whom a run would ask */
  run?: RunNames
}

/** RunNames are the target and the judge of a run, and both in a few words. */
export interface RunNames {
  target: string
  judge: string
  label: string
}

/** Started is the result of a command that started a job. */
export interface Started {
  job: string
}

/** ItemResult is the new state of a test item. Scores are 0–1 for cases and metrics, 0–10 for criteria. */
export interface ItemResult {
  id: string
  state: 'started' | 'pass' | 'borderline' | 'fail' | 'ungraded' | 'cancelled'
  score?: number
  message?: string
  /** answer is what was judged, unless the result is a pass */
  answer?: string
}

/** Progress is the progress of a job, with new results. */
export interface Progress {
  job: string
  uri: string
  state: 'running' | 'done' | 'cancelled' | 'failed'
  message?: string
  done: number
  total: number
  results: ItemResult[]
}

/** Comparison lists the earlier runs of a file, and compares one of them with the last results. */
export interface Comparison {
  runs: { id: string; time: string; label: string }[]
  comparison?: { title: string; notes: string[]; cases: ComparedCase[] }
}

/** ComparedCase is a case or a criterion whose result differs. */
export interface ComparedCase {
  label: string
  range?: Range
  outcome: string
  text: string
  criteria: ComparedCase[]
}

/** Plan is what a run would do. */
export type Plan = Omit<RunPlan, 'settings' | 'refused'>

/** Draft is a draft of criteria for a case of a version of a file. */
export interface Draft {
  uri: string
  case: string
  version: number
  origin: string
  edits: { range: Range; newText: string }[]
}

/** TargetChoice is something that a run can grade: a value of `rubric.target`, or a recording. */
export interface TargetChoice {
  name: string
  detail: string
  recorded?: boolean
  chosen?: boolean
}

/** Question is a question for the editor's own model. `schema` is the JSON Schema of the reply. */
export interface Question {
  system: string
  user: string
  schema?: unknown
}

/** Reply is the model's reply, its id, and its token usage. */
export interface Reply {
  text: string
  model: string
  usage: { input: number; output: number }
}

/** Report is the HTML report of a file's last results, with its usage. */
export interface Report {
  html: string
  cases: number
  stale: number
  spent: Usage
}

/** Usage counts tokens and US dollars of judges and targets, as far as they are known. */
export interface Usage {
  input: number
  output: number
  usd?: number
}

/** GradeResult is the score of given grades. */
export interface GradeResult {
  score: number | null
  verdict: 'pass' | 'borderline' | 'fail' | 'ungraded'
  gates: { id: string; met: boolean; reason?: string }[]
}

/** NeighbourRequest names a file in the folder of an open one, or with `above` in the nearest folder above it. */
export interface NeighbourRequest {
  uri: string
  beside: string
  above?: boolean
}
