// The server's own methods and commands, as lsp/README.md has them.
import type { Range } from 'vscode-languageclient'

/** Target is what a command is about: a file, a case of it, or a criterion of that. */
export interface Target {
  uri: string
  case?: string
  grader?: string
  criterion?: string
}

/** TestItem is a suite, a case, a criterion or a metric: what can be run and has a result. */
export interface TestItem {
  id: string
  kind: 'suite' | 'case' | 'criterion' | 'metric'
  label: string
  range?: Range
  /** beside which there is room to tell of its result, if not beside `range` */
  told?: Range
  target: Target
  children: TestItem[]
}

/** Started is the answer to a command that began a job. */
export interface Started {
  job: string
}

/** ItemResult is what is new of a test item; a score is 0–1 of a case or a metric, 0–10 of a criterion. */
export interface ItemResult {
  id: string
  state: 'started' | 'pass' | 'borderline' | 'fail' | 'ungraded' | 'cancelled'
  score?: number
  message?: string
}

/** Progress tells how far a job is, and what is new of the items of its file. */
export interface Progress {
  job: string
  uri: string
  state: 'running' | 'done' | 'cancelled' | 'failed'
  message?: string
  done: number
  total: number
  results: ItemResult[]
}

/** Plan is what a run would do. */
export interface Plan {
  target: string
  judge: string
  trusted: boolean
  cases: { case: string; graders: { name: string; type: string; criteria?: number }[] }[]
  questions: number
  programs: number
  errors: string[]
  notes?: string[]
}

/** Question is what the server asks the editor's own model; `schema` is the JSON Schema of the reply. */
export interface Question {
  system: string
  user: string
  schema?: unknown
}

/** Reply is what the model says, which it is, and the tokens that it took. */
export interface Reply {
  text: string
  model: string
  usage: { input: number; output: number }
}

/** Report is what a file's cases last came to, as a page, and what that cost. */
export interface Report {
  html: string
  cases: number
  stale: number
  spent: Spent
}

/** Spent are tokens, and dollars as far as targets told. */
export interface Spent {
  input: number
  output: number
  usd?: number
}

/** Scored is what grades are worth. */
export interface Scored {
  score: number | null
  verdict: 'pass' | 'borderline' | 'fail' | 'ungraded'
  gates: { id: string; met: boolean; reason?: string }[]
}

/** Beside is a file by its name, in the folder of an open one. */
export interface Beside {
  uri: string
  beside: string
}
