// Written by `make generate` from package wasm/api. Do not edit.

/** CheckParams is what `check` takes. */
export interface CheckParams {
  text: string;
  path?: string;
}

/** Position is a zero-based line and a zero-based column in units of an Encoding. */
export interface Position {
  line: number;
  character: number;
}

/** Range is a pair of positions, end exclusive: a Span as clients see it. */
export interface Range {
  start: Position;
  end: Position;
}

/** Related is a second place; Path names its file if that is another one. */
export interface Related {
  path?: string;
  range: Range;
  message: string;
}

/** TextEdit is the Language Server Protocol's. */
export interface TextEdit {
  range: Range;
  newText: string;
}

/** Fix is a set of edits that mends a finding; a safe one never changes what a correct file means. */
export interface Fix {
  title: string;
  safe: boolean;
  edits: TextEdit[];
}

/** Diagnostic is a finding. Severity is error, warning, info or hint; Path is where in the document, as evalcases[0].id. */
export interface Diagnostic {
  code: string;
  severity: string;
  message: string;
  range: Range;
  path: string;
  related: Related[];
  fixes: Fix[];
}

/** CheckResult is what is wrong with one file. */
export interface CheckResult {
  dialect: string;
  diagnostics: Diagnostic[];
}

/** DraftParams is what `draft` takes. */
export interface DraftParams {
  text: string;
  path?: string;
  case?: string;
  reply: unknown;
}

/** DraftResult is the criteria as edits of the text, and the text with them. With problems there are no edits, and the text is as it was. */
export interface DraftResult {
  edits: TextEdit[];
  text: string;
  problems: string[];
}

/** MetricParams is what `metric` takes. */
export interface MetricParams {
  name: string;
  criterion: unknown;
  actual: unknown;
  expected?: unknown;
  /** the case's own */
  rubrics?: unknown;
  scenario?: unknown;
  replies?: unknown;
  /** the stand-in judges, not replies */
  offline?: boolean;
  profile?: "latest" | "2.0";
}

/** RubricScore is how a property was judged: 1 for yes, 0 for no, nil for neither. */
export interface RubricScore {
  rubric_id: string;
  score: number | null;
  rationale?: string;
}

/** Claim is a sentence of an answer and how it stands to the evidence. */
export interface Claim {
  sentence: string;
  /** as the judge wrote it; see `ScoreLabels` */
  label: string;
  rationale: string;
  /** quoted from the evidence */
  supporting_excerpt: string | null;
  /** quoted from the evidence */
  contradicting_excerpt: string | null;
}

/** Step is a text of the agent that was looked through for hallucinations. */
export interface Step {
  text: string;
  /** how many of the turn's events came before it and are its evidence */
  events: number;
  /** the share of its claims that are grounded */
  score: number | null;
  claims: Claim[];
  /** why it has no score */
  reason?: string;
  /** sentences that the judge left without a label that counts */
  unlabelled?: number;
}

/** Usage counts tokens; zero means not told. */
export interface Usage {
  input?: number;
  output?: number;
}

/** Reply is one answer of a judge. */
export interface Reply {
  text: string;
  model?: string;
  usage?: Usage;
  /** what of it could not be used */
  problems?: string[];
}

/** InvocationResult is what a metric says of one turn. */
export interface InvocationResult {
  score: number | null;
  eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  /** why it was not evaluated, or what lowered its score */
  reason?: string;
  rubric_scores?: RubricScore[];
  /** texts looked through for hallucinations */
  steps?: Step[];
  replies?: Reply[];
  /** what the score does not show */
  problems?: string[];
}

/** MetricQuestion is what a judge is asked. Key is what its reply is given under; Schema is null where any text will do. */
export interface MetricQuestion {
  key: string;
  system: string;
  user: string;
  schema: unknown;
}

/** MetricResult is what a metric says of a conversation, and the questions that a judge has to be asked before it can say more. */
export interface MetricResult {
  metric_name: string;
  threshold: number;
  /** 0–1; nil if there is none */
  score: number | null;
  eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  /** why it was not evaluated */
  reason?: string;
  /** each over all turns */
  rubric_scores?: RubricScore[];
  /** TurnMean is the mean of the turns' scores, which ADK's documentation takes for Score; Score is the mean over all rubrics of all turns. */
  mean_of_invocations?: number;
  invocations: InvocationResult[];
  /** who judged, if it was no model */
  notice?: string;
  questions: MetricQuestion[];
}

/** PromptParams is what `prompt` takes. */
export interface PromptParams {
  text: string;
  path?: string;
  case?: string;
  answer?: string;
  profile?: "spec" | "agentv" | "agentv-4" | "agentv-head";
}

/** PromptResult is exactly what a judge is asked, and the JSON Schema of its reply. */
export interface PromptResult {
  system: string;
  user: string;
  schema: unknown;
}

/** ScoreParams is what `score` takes. */
export interface ScoreParams {
  rubrics?: unknown;
  text?: string;
  path?: string;
  case?: string;
  reply: unknown;
  profile?: "spec" | "agentv" | "agentv-4" | "agentv-head";
}

/** Gate is a required criterion or a minimum, and whether it held. */
export interface Gate {
  /** whose gate it is, in a case's list */
  grader?: string;
  id: string;
  /** 0–10, of a whole grader 0–1; nil for a checklist criterion */
  minimum?: number;
  /** the grader's own gate, not one of its criteria's */
  whole?: boolean;
  met: boolean;
  /** why it is not met */
  reason?: string;
}

/** Grade is the judged outcome of one criterion. Exactly one of Satisfied, Score and Ungraded is set. */
export interface Grade {
  id: string;
  satisfied?: boolean;
  /** 0–10 */
  score?: number;
  weight: number;
  required: boolean;
  reasoning: string;
  /** why there is no grade */
  ungraded?: string;
  /** Agreement is the share of samples, 0–1, that gave this very grade; nil when the judge was asked once. */
  agreement?: number;
}

/** ScoreResult is what the reply is worth. Problems are the faults of the reply. */
export interface ScoreResult {
  score: number;
  verdict: "pass" | "borderline" | "fail";
  gates: Gate[];
  hits: string[];
  misses: string[];
  grades: Grade[];
  problems: string[];
}

/** SuiteParams is what `suite` takes. */
export interface SuiteParams {
  text: string;
  path?: string;
}

/** Band is one labelled range of scores, both ends inclusive. */
export interface Band {
  score_range: [number, number];
  expected_outcome: string;
}

/** Criterion is one thing to judge. Required is the effective value; a minimum or ranges are there only if the criterion has them. */
export interface Criterion {
  id: string;
  expected_outcome: string;
  weight: number;
  required: boolean;
  required_min_score?: number;
  score_ranges?: Band[];
}

/** Evaluator is one way in which a case is graded. */
export interface Evaluator {
  name: string;
  type: string;
  weight: number;
  rubrics?: Criterion[];
  evaluators?: Evaluator[];
}

/** Case is one test as it will be graded. */
export interface Case {
  id: string;
  expected_outcome: string;
  question: string;
  reference_answer: string;
  rubrics: Criterion[];
  evaluators: Evaluator[];
}

/** SuiteResult is a file's effective model: defaults filled in, and what the runner drops left out. */
export interface SuiteResult {
  dialect: string;
  cases: Case[];
}

/** VersionResult says which evaluator answers. */
export interface VersionResult {
  version: string;
  abi: number;
  dialects: string[];
}

/** Methods are the evaluator's, each with what it takes and gives. */
export interface Methods {
  check: { params: CheckParams; result: CheckResult };
  draft: { params: DraftParams; result: DraftResult };
  metric: { params: MetricParams; result: MetricResult };
  prompt: { params: PromptParams; result: PromptResult };
  score: { params: ScoreParams; result: ScoreResult };
  suite: { params: SuiteParams; result: SuiteResult };
  version: { params: Record<string, never>; result: VersionResult };
}
