// Written by `make generate` from package wasm/api. Do not edit.

/** Position is a zero-based line and a zero-based column in units of an Encoding. */
export interface Position {
  line: number;
  character: number;
}

/** Range is a Span as clients see it: two positions, end exclusive. */
export interface Range {
  start: Position;
  end: Position;
}

/** ActionsParams holds the parameters of `actions`. */
export interface ActionsParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  range?: Range;
  only?: string[];
}

/** CodeDescription links to a rule's page. */
export interface CodeDescription {
  href: string;
}

/** Location is an LSP location. URI is the document's name. */
export interface Location {
  uri: string;
  range: Range;
}

/** RelatedFinding is a second location of a finding. */
export interface RelatedFinding {
  location: Location;
  message: string;
}

/** Finding is an LSP diagnostic. */
export interface Finding {
  range: Range;
  severity: number;
  code: string;
  codeDescription?: CodeDescription;
  source: string;
  message: string;
  tags?: number[];
  relatedInformation?: RelatedFinding[];
}

/** Disabled says why an action is not available. */
export interface Disabled {
  reason: string;
}

/** TextEdit is an LSP text edit. */
export interface TextEdit {
  range: Range;
  newText: string;
}

/** WorkspaceEdit holds edits of several documents. Changes, by URI, are for clients that know no versions. */
export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  /** DocumentChanges are a `DocumentEdit` each, or what only some clients accept: a `SnippetDocumentEdit` or a `CreateFile`. */
  documentChanges?: DocumentEdit[];
}

/** Command is an LSP command. */
export interface Command {
  title: string;
  command: string;
  arguments?: unknown[];
}

/** Span is a half-open interval of byte offsets, [Start, End). An empty span is a caret between two bytes. A diagnostic about a whole file points at its first line that is not blank or a comment. */
export interface Span {
  start: number;
  end: number;
}

/** ActionData is the data of an action: what it does to one version of a document. */
export interface ActionData {
  uri: string;
  version: number;
  /** converts the file to this dialect, or version of AgentV */
  convert?: string;
  rule?: string;
  fix?: number;
  /** ignore the rule instead of fixing it */
  ignore?: boolean;
  refactor?: string;
  span?: Span;
  /** ToVersion is the AgentV version to migrate to. */
  into?: "seed" | "stable-4.42.4" | "head";
}

/** CodeAction is an LSP code action. Pass Data to `resolve` to get the edit. */
export interface CodeAction {
  title: string;
  kind?: string;
  diagnostics?: Finding[];
  isPreferred?: boolean;
  disabled?: Disabled;
  edit?: WorkspaceEdit;
  command?: Command;
  data?: ActionData;
}

/** BesideParams holds the parameters of `beside`. */
export interface BesideParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
}

/** EvalsetFiles are the files with which an evalset or a result file is evaluated. */
export interface EvalsetFiles {
  /** a test_config.json; without it, ADK's default metrics apply */
  config?: string;
  /** an .evalset_result.json or an evalset; without it, the evalset's own conversations are measured */
  recorded?: string;
  /** the name of the file with the conversations */
  target?: string;
}

/** Capabilities holds what an editor must know before its first request. */
export interface Capabilities {
  /** characters */
  completionTriggers: string[];
  /** the character after which to call `enter` */
  enterTrigger: string;
  actionKinds: string[];
  tokenTypes: string[];
  tokenModifiers: string[];
}

/** CasesParams holds the parameters of `cases`. */
export interface CasesParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
}

/** CaseHead is a case id with the range of the case's heading. Error says why the case does not run. */
export interface CaseHead {
  id: string;
  /** what people call it; missing if that is the id */
  title?: string;
  range: Range;
  error?: string;
}

/** CheckParams holds the parameters of `check`. */
export interface CheckParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
}

/** Related is a second location. Path names its file if it is another one. */
export interface Related {
  path?: string;
  range: Range;
  message: string;
}

/** Fix is a set of edits that fixes a finding. A safe fix never changes the meaning of a correct file. */
export interface Fix {
  title: string;
  safe: boolean;
  edits: TextEdit[];
}

/** Diagnostic is a finding. Severity is error, warning, info or hint. Path is the place in the document, as evalcases[0].id. */
export interface Diagnostic {
  code: string;
  severity: string;
  message: string;
  range: Range;
  path: string;
  related: Related[];
  fixes: Fix[];
}

/** CheckResult holds the diagnostics of one file. */
export interface CheckResult {
  dialect: string;
  diagnostics: Diagnostic[];
}

/** CompleteParams holds the parameters of `complete`. */
export interface CompleteParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
}

/** MarkupContent is Markdown, or plain text for clients that do not render Markdown. */
export interface MarkupContent {
  kind: string;
  value: string;
}

/** Topic is the data of a completion item: its documentation page. */
export interface Topic {
  uri: string;
  topic: string;
}

/** CompletionItem is an LSP completion item. Pass Data to `resolve` to get the documentation. */
export interface CompletionItem {
  label: string;
  kind?: number;
  detail?: string;
  documentation?: MarkupContent;
  sortText?: string;
  filterText?: string;
  /** 2 for a snippet */
  insertTextFormat?: number;
  /** 1: the text is already indented */
  insertTextMode?: number;
  textEdit?: TextEdit;
  command?: Command;
  data?: Topic;
}

/** CompletionList holds the completions at a position, likeliest first. */
export interface CompletionList {
  isIncomplete: boolean;
  items: CompletionItem[];
}

/** DefinitionParams holds the parameters of `definition`. */
export interface DefinitionParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
}

/** DiagnoseParams holds the parameters of `diagnose`. */
export interface DiagnoseParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
}

/** DraftParams holds the parameters of `draft`. */
export interface DraftParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  reply?: unknown;
}

/** DraftResult holds the criteria as edits, and the text with the edits applied. Problems say what could not be used; if it has no edits, the text is unchanged. */
export interface DraftResult {
  edits: TextEdit[];
  text: string;
  problems: string[];
}

/** Change replaces a range, or the whole text. */
export interface Change {
  range?: Range;
  text: string;
}

/** EditParams holds the parameters of `edit`. */
export interface EditParams {
  document: string;
  version?: number;
  changes: Change[];
}

/** Opened is the result of opening or editing a document. */
export interface Opened {
  /** Recognised says that some version since `open` was recognised as an eval file. Editors show nothing for other files. */
  recognised: boolean;
  /** Problems are the rules whose severity is invalid. */
  problems?: string[];
  /** Affected are the other documents whose findings may have changed. */
  affected?: string[];
}

/** EnterParams holds the parameters of `enter`. */
export interface EnterParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
}

/** ExplainParams holds the parameters of `explain`. */
export interface ExplainParams {
  rule: string;
}

/** RulePage is a rule with its page in Markdown, which includes the diagnostics of the example. */
export interface RulePage {
  id: string;
  severity: string;
  summary: string;
  bad: string;
  good: string;
  path: string;
  beside?: Record<string, string>;
  page: string;
}

/** ManualGrade is a grade that a person enters for a criterion or, without one, for a whole grader. */
export interface ManualGrade {
  /** "" for any grader with the criterion */
  grader?: string;
  /** of the criterion */
  id?: string;
  /** of a recorded conversation, from 1; 0 for all turns */
  turn?: number;
  satisfied?: boolean;
  /** of a criterion 0–10, of a grader 0–1 */
  score?: number;
}

/** FlipParams holds the parameters of `flip`. */
export interface FlipParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  grades: ManualGrade[];
}

/** VerdictFlip is another grade of a criterion, or of a grader without criteria, that changes the case's verdict. */
export interface VerdictFlip {
  grader: string;
  /** of the criterion; "" for the whole grader */
  id: string;
  satisfied?: boolean;
  /** of a criterion 0–10, of a grader 0–1 */
  score?: number;
  /** 0–1, with that grade */
  case_score: number | null;
  verdict: "pass" | "borderline" | "fail" | "ungraded";
}

/** FlipResult holds, for each typed grade, the nearest other grades that change the case's verdict, one for each reachable verdict. */
export interface FlipResult {
  flips: VerdictFlip[];
}

/** FoldParams holds the parameters of `fold`. */
export interface FoldParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  range?: Range;
}

/** FoldingRange is an LSP folding range of whole lines. Kind is "comment" for a block of comments. */
export interface FoldingRange {
  startLine: number;
  endLine: number;
  kind?: string;
}

/** ForgetParams holds the parameters of `forget`. */
export interface ForgetParams {
  document: string;
}

/** Closed is the result of closing a document. Affected are the other documents whose findings may have changed. */
export interface Closed {
  affected?: string[];
}

/** FormatParams holds the parameters of `format`. */
export interface FormatParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  range?: Range;
}

/** FormatsParams holds the parameters of `formats`. */
export interface FormatsParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
}

/** Format is a dialect with its kinds of files. */
export interface Format {
  name: string;
  /** titles, in the order of the reference */
  files: string[];
}

/** FormatsResult holds the format of a file, and all formats that there are. */
export interface FormatsResult {
  /** by its content or name */
  recognised: boolean;
  /** of the file's format, such as AgentV; absent if it is not recognised */
  name?: string;
  formats: Format[];
}

/** GradeParams holds the parameters of `grade`. */
export interface GradeParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  grades: ManualGrade[];
}

/** Gate is a required criterion or a minimum, and whether it was met. */
export interface Gate {
  /** the grader it belongs to, in a case's list */
  grader?: string;
  id: string;
  /** 0–10, of a whole grader 0–1; nil for a checklist criterion */
  minimum?: number;
  /** a gate of the grader, not of one of its criteria */
  whole?: boolean;
  met: boolean;
  /** Ungraded means that the gate could not be judged; Met is then false. */
  ungraded?: boolean;
  /** why it is not met */
  reason?: string;
}

/** ManualGraderResult is the result of one grader with manual grades. */
export interface ManualGraderResult {
  name: string;
  /** 0–1; nil if the verdict is ungraded */
  score: number | null;
  verdict: "pass" | "borderline" | "fail" | "ungraded";
}

/** GradeResult is the score of typed grades. Range is the case's heading. */
export interface GradeResult {
  /** 0–1; nil if the verdict is ungraded */
  score: number | null;
  verdict: "pass" | "borderline" | "fail" | "ungraded";
  gates: Gate[];
  hits: string[];
  misses: string[];
  ungraded: number;
  reasons: string[];
  graders: ManualGraderResult[];
  range: Range;
}

/** HighlightParams holds the parameters of `highlight`. */
export interface HighlightParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
}

/** DocumentHighlight is a related range: 1 the same text, 2 a reference, 3 the declaration. */
export interface DocumentHighlight {
  range: Range;
  kind: number;
}

/** HoverParams holds the parameters of `hover`. */
export interface HoverParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
}

/** Hover is the documentation of a position. */
export interface Hover {
  contents: MarkupContent | null;
  range: Range;
}

/** InlayParams holds the parameters of `inlay`. */
export interface InlayParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  range?: Range;
}

/** InlayHint is an LSP inlay hint: an effective value that the text leaves out. */
export interface InlayHint {
  position: Position;
  label: string;
  tooltip?: MarkupContent;
  paddingLeft: boolean;
}

/** ModelUsage counts what models used, as far as it is known. */
export interface ModelUsage {
  /** replies of models that were paid for */
  calls: number;
  /** of these, because the reply before was unusable */
  calls_repeated?: number;
  /** replies from a cache or a recording, for which nothing was paid */
  kept?: number;
  input_tokens: number;
  output_tokens: number;
  /** in US dollars, of the replies whose cost is known */
  cost_usd: number;
  /** replies whose cost is unknown */
  calls_unpriced?: number;
}

/** Trial is one run of a case. */
export interface Trial {
  score: number | null;
  verdict: "pass" | "borderline" | "fail" | "ungraded";
  execution_status?: string;
  candidate_answer: string;
  /** that failed */
  gates?: Gate[];
  /** why it did not finish, or is ungraded */
  error?: string;
  judge_usage?: ModelUsage;
  target_usage?: ModelUsage;
}

/** Trials are several runs of one case. The record of the case is that of the best one, with the score and the verdict of all. One that passes is better than any other. */
export interface Trials {
  /** how the scores are combined; see [rubric.Trials] */
  strategy: string;
  /** that were to be run */
  count: number;
  /** pass@k is 1 if any passed */
  passed: number;
  /** of the scores, if there are any */
  mean: number | null;
  /** fewer than Count if one that passed or the cost ended them */
  runs: Trial[];
}

/** Opinion is one sample's grade of a criterion. Exactly one of Satisfied, Score and Ungraded is set. */
export interface Opinion {
  /** of a panel; "" for a single judge */
  judge?: string;
  /** from 0 */
  sample: number;
  satisfied?: boolean;
  /** 0–10 */
  score?: number;
  reasoning?: string;
  ungraded?: string;
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
  /** Agreement is the share of samples, 0–1, with exactly this grade; nil for a single sample. */
  agreement?: number;
  /** FlipRate is the share of pairs of samples, 0–1, that disagree. It estimates the chance that another sample changes the grade. Scores in one band agree. */
  flip_rate?: number;
  /** of all samples, in the order asked */
  opinions?: Opinion[];
}

/** Terms are conditions that a suite sets for a grader as a whole. */
export interface Terms {
  /** the opposite of the result counts */
  negate?: boolean;
  /** the grader is a gate of its case */
  required?: boolean;
  /** score, 0–1, from which the grader passes; nil means Threshold */
  min_score?: number;
  /** Threshold is the score, 0–1, from which its case passes; nil means `PassAt`. */
  threshold?: number;
  /** ByVerdict means that the grader itself decides whether it passes, whatever its score. */
  by_verdict?: boolean;
}

/** TurnRecord is a turn of a conversation with the target. */
export interface TurnRecord {
  /** what the user said */
  question: string;
  candidate_answer: string;
}

/** BandRecord is a score range as it was judged. */
export interface BandRecord {
  score_range: [number, number];
  expected_outcome: string;
}

/** CriterionRecord is a criterion as it was judged. */
export interface CriterionRecord {
  id: string;
  /** the file sets the id, although it looks like a generated one (`rubric-1`) */
  id_written?: boolean;
  expected_outcome: string;
  weight: number;
  required: boolean;
  required_min_score?: number;
  score_ranges?: BandRecord[];
}

/** Request is the first question to a judge. */
export interface Request {
  system_prompt: string;
  user_prompt: string;
}

/** Usage counts tokens (0 if unknown) and cost in US dollars (nil if unknown). */
export interface Usage {
  input?: number;
  output?: number;
  cost_usd?: number;
}

/** Reply is an answer as records have it. */
export interface Reply {
  text: string;
  /** of a panel */
  judge?: string;
  model?: string;
  usage?: Usage;
  /** from a cache or a recording: nothing was paid for it */
  kept?: boolean;
  /** of a grader's question, as is Sample */
  attempt?: number;
  sample?: number;
  /** why it is not usable */
  problems?: string[];
}

/** RubricScore is the verdict on a property: 1 for yes, 0 for no, nil for neither. */
export interface RubricScore {
  rubric_id: string;
  /** the property of a rubric, in the result of a turn */
  text?: string;
  score: number | null;
  rationale?: string;
}

/** Claim is a sentence of an answer and how the evidence supports it. */
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

/** Step is a text of the agent that is checked for hallucinations. */
export interface Step {
  text: string;
  /** number of the turn's events before it, which are its evidence */
  events: number;
  /** share of its claims that are grounded */
  score: number | null;
  claims: Claim[];
  /** why it has no score */
  reason?: string;
  /** sentences without a valid label */
  unlabelled?: number;
}

/** InvocationResult is the result of a metric for one turn. */
export interface InvocationResult {
  score: number | null;
  eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  /** why it was not evaluated, or what lowered its score */
  reason?: string;
  rubric_scores?: RubricScore[];
  /** texts checked for hallucinations */
  steps?: Step[];
  replies?: Reply[];
  /** faults that the score does not show */
  problems?: string[];
}

/** Result is the result of a metric for a conversation. */
export interface Result {
  metric_name: string;
  threshold: number;
  /** 0–1; nil if there is none */
  score: number | null;
  eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  /** why it was not evaluated */
  reason?: string;
  /** each over all turns */
  rubric_scores?: RubricScore[];
  /** TurnMean is the mean of the turns' scores, as which ADK's documentation describes Score. Score is the mean over all rubrics of all turns. */
  mean_of_invocations?: number;
  invocations: InvocationResult[];
  /** the judge, if it was not a model */
  notice?: string;
  /** paid replies for turns without a result */
  replies?: Reply[];
}

/** GraderRecord is the result of one grader. */
export interface GraderRecord {
  name: string;
  type: "llm_judge" | "code_judge" | "composite" | "tool_trajectory" | "field_accuracy" | "latency" | "cost" | "token_usage" | "execution_metrics" | "metric" | "turn" | "transcript" | "none" | "deterministic" | "assert_set" | "trace_steps" | "external";
  weight: number;
  /** 0–1; nil if the verdict is Ungraded */
  score: number | null;
  verdict: "pass" | "borderline" | "fail" | "ungraded";
  gates: Gate[];
  hits: string[];
  misses: string[];
  grades?: Grade[];
  reasoning?: string;
  details?: unknown;
  /** Ungraded says what could not be judged, and why. Verdict is then Ungraded, or Fail if a gate failed. The score of a fail then covers only the judged part and is a lower bound. */
  ungraded?: string;
  /** that the grader or metric names; "" for the record's */
  judge?: string;
  /** the limits that the result must meet */
  terms?: Terms;
  /** what was said, if Type is rubric.Turn */
  turn?: TurnRecord;
  criteria?: CriterionRecord[];
  evaluator_provider_request?: Request;
  replies?: Reply[];
  /** turn by turn; see `TurnRecords` */
  metric?: Result;
  /** how members are combined */
  aggregator?: string;
  evaluator_results?: GraderRecord[];
  /** in the grader's own settings */
  problems?: string[];
  unreachable?: boolean;
}

/** Tokens counts the tokens that a target's model read and wrote. */
export interface Tokens {
  input: number;
  output: number;
  cached?: number;
}

/** Trace summarizes a target's run. A nil value is unknown, not zero. */
export interface Trace {
  /** tool calls */
  event_count?: number;
  tool_names?: string[];
  tool_calls_by_name?: Record<string, number>;
  error_count?: number;
  token_usage?: Tokens;
  cost_usd?: number;
  duration_ms?: number;
  llm_calls?: number;
  /** milliseconds */
  tool_durations?: Record<string, number[]>;
}

/** Recorded is a conversation that an agent held during a run, as records and result files have it. */
export interface Recorded {
  session_id: string;
  user_id: string;
  invocations: unknown[];
  session_details?: unknown;
  /** of the agent's models */
  usage?: Usage;
  /** of these models */
  model_calls?: number;
  /** of the model that plays the user */
  user_replies?: Reply[];
}

/** TokenUsage is the tokens of a turn. Total is the sum of Input and Output, Input that of Prompt and ToolUse, Output that of Candidates and Reasoning. Cached is a part of Prompt. A count that the agent's models did not report is nil. */
export interface TokenUsage {
  total_tokens?: number;
  input_tokens?: number;
  prompt_tokens?: number;
  cached_tokens?: number;
  tool_use_tokens?: number;
  output_tokens?: number;
  candidates_tokens?: number;
  reasoning_tokens?: number;
}

/** Figures are what the agent took for one turn, under the names of ADK's metrics. A figure that the recording does not have is nil. */
export interface Figures {
  tool_call_count_v1?: number;
  /** of models */
  inference_call_count_v1?: number;
  token_usage_v1?: TokenUsage;
  /** in seconds */
  invocation_duration_v1?: number;
}

/** Informational is what an agent took for a conversation: ADK's informational metrics of version 2.10, which every run reports and which neither pass nor fail. The figures are means per turn, as in ADK's _efficiency_evaluators.py. */
export interface Informational {
  tool_call_count_v1?: number;
  /** of models */
  inference_call_count_v1?: number;
  token_usage_v1?: TokenUsage;
  /** in seconds */
  invocation_duration_v1?: number;
  invocations: Figures[];
}

/** CaseRecord is one line of a result file, as `rubric run` writes it. */
export interface CaseRecord {
  /** RFC 3339, UTC */
  timestamp?: string;
  eval_id: string;
  dataset?: string;
  conversation_id?: string;
  /** of the case's meaning; see rubric.Case */
  case_fingerprint?: string;
  question?: string;
  expected_outcome?: string;
  /** of the case and its suite */
  tags?: string[];
  target?: string;
  /** the template with which Target was asked */
  prompt?: string;
  /** of its text */
  prompt_fingerprint?: string;
  /** the case itself names Target */
  own_target?: boolean;
  /** the fallback that answered in the place of Target, at least once */
  answered_by?: string;
  /** the target was asked once for several judges; another record has the cost */
  shared_answer?: boolean;
  judge?: string;
  /** judgements per criterion and judge; 0 means one */
  samples?: number;
  /** nil if the case runs once */
  trials?: Trials;
  /** the eval file's path as it was named, with slashes */
  eval_file?: string;
  profile: "spec" | "agentv" | "agentv-4" | "agentv-head" | "promptfoo";
  /** 0–1; nil if the verdict is ungraded */
  score: number | null;
  verdict: "pass" | "borderline" | "fail" | "ungraded";
  gates: Gate[];
  hits: string[];
  misses: string[];
  reasoning?: string;
  /** why the verdict is not a pass */
  reasons?: string[];
  /** number of things that were not judged; see score.CaseResult */
  ungraded: number;
  /** score, 0–1, from which the case passes; nil if its file does not say */
  threshold?: number;
  /** score, 0–1, from which the cases of the run pass; 0 if the run has none */
  run_threshold?: number;
  /** of a conversation, the last */
  candidate_answer: string;
  /** of the turns of a conversation: mean, min or max */
  aggregation?: string;
  evaluator_results: GraderRecord[];
  trace_summary?: Trace;
  /** that an agent held during the run */
  conversation?: Recorded;
  /** why the case did not finish */
  error?: string;
  unreachable?: boolean;
  /** "ok", "quality_failure" or "execution_error" */
  execution_status?: string;
  /** of an execution error: "agent" or "evaluator" */
  failure_stage?: string;
  /** of an execution error: "provider_error" or "evaluator_error" */
  failure_reason_code?: string;
  /** of target and graders together */
  duration_ms?: number;
  /** what the agent of an ADK conversation took */
  informational_metrics?: Informational;
}

/** KeepParams holds the parameters of `keep`. */
export interface KeepParams {
  document: string;
  text?: string;
  stale?: boolean;
  record: CaseRecord;
  /** a test_config.json; without it, ADK's default metrics apply */
  config?: string;
  /** an .evalset_result.json or an evalset; without it, the evalset's own conversations are measured */
  recorded?: string;
}

/** StoredRecord confirms that a record is stored. */
export interface StoredRecord {
  case: string;
}

/** LastParams holds the parameters of `last`. */
export interface LastParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
}

/** LastGrade is a grade of a run, in the form that `grade` and `measure` accept: of a criterion, a whole grader, or a question of a metric. */
export interface LastGrade {
  grader: string;
  /** from 1; turns of later runs count on */
  turn?: number;
  /** of the judged item; for a sentence the numbers of its text and its own: 1.2 */
  id: string;
  satisfied?: boolean;
  /** for a label that samples vote on: the votes in favour */
  votes?: number;
  /** of a sentence; see `ScoreLabels` */
  label?: string;
  /** 0–10 for a criterion, 0–1 for a grader */
  score?: number;
  stale: boolean;
  /** why it was not judged */
  ungraded?: string;
  reasoning?: string;
}

/** LastResult is the last result of a case. Stale says that something it depends on has changed since. */
export interface LastResult {
  /** pass, borderline, fail or ungraded */
  standing: string;
  /** 0–1; nil if ungraded */
  score: number | null;
  stale: boolean;
  judge?: string;
  /** whose answer was graded */
  target?: string;
  answer?: string;
  grades: LastGrade[];
}

/** LensParams holds the parameters of `lens`. */
export interface LensParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  range?: Range;
}

/** CodeLens is an LSP code lens. */
export interface CodeLens {
  range: Range;
  command: Command;
}

/** LinkedParams holds the parameters of `linked`. */
export interface LinkedParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
}

/** LinkedRanges are ranges that change together while the user types in one. */
export interface LinkedRanges {
  ranges: Range[];
  wordPattern: string;
}

/** LinksParams holds the parameters of `links`. */
export interface LinksParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
}

/** DocumentLink is a link to a file or a web address. */
export interface DocumentLink {
  range: Range;
  target: string;
}

/** LspParams holds the parameters of `lsp`. */
export interface LspParams {
  method: string;
  params?: unknown;
  /** the client's name */
  client?: string;
  /** of lenses, that the client executes */
  commands?: string[];
}

/** Failure is an error with a code that callers may branch on. */
export interface Failure {
  code: string;
  message: string;
}

/** LanguageServerAnswer is the answer to a request of the Language Server Protocol: a result or an error. */
export interface LanguageServerAnswer {
  result: unknown;
  error?: Failure;
  /** Closed is the document of the request if it is not open. */
  closed?: string;
  /** Messages are messages to the user. */
  messages?: string[];
}

/** ManualVerdict is a verdict that a person enters in place of a judge. */
export interface ManualVerdict {
  grader: string;
  /** from 1; turns of later runs count on */
  turn?: number;
  /** of the judged item; for a sentence the numbers of its text and its own: 1.2 */
  id: string;
  satisfied?: boolean;
  /** for a label that samples vote on: the votes in favour */
  votes?: number;
  /** of a sentence; see `ScoreLabels` */
  label?: string;
}

/** MeasureParams holds the parameters of `measure`. */
export interface MeasureParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  grades?: ManualVerdict[];
  replies?: Record<string, string>;
  /** also return what would flip a metric */
  flips?: boolean;
  /** also return the texts of the questions */
  questions?: boolean;
  /** a test_config.json; without it, ADK's default metrics apply */
  config?: string;
  /** an .evalset_result.json or an evalset; without it, the evalset's own conversations are measured */
  recorded?: string;
}

/** ManualItem is one judged item with its verdict. */
export interface ManualItem {
  grader: string;
  /** from 1; turns of later runs count on */
  turn?: number;
  /** of the judged item; for a sentence the numbers of its text and its own: 1.2 */
  id: string;
  satisfied?: boolean;
  /** for a label that samples vote on: the votes in favour */
  votes?: number;
  /** of a sentence; see `ScoreLabels` */
  label?: string;
  text: string;
}

/** TurnQuestion is a judge's question about one turn, with the verdict on each of its items. */
export interface TurnQuestion {
  /** from 1 */
  turn: number;
  /** the key of a raw reply */
  key: string;
  samples: number;
  form: "verdict" | "votes" | "label";
  /** empty if a reply must first split the text into sentences */
  items: ManualItem[];
  system?: string;
  user?: string;
  schema?: unknown;
}

/** MeasuredMetric is a metric's result, its configuration and its questions to a judge. */
export interface MeasuredMetric {
  metric_name: string;
  threshold: number;
  /** 0–1; nil if there is none */
  score: number | null;
  eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  /** why it was not evaluated */
  reason?: string;
  /** each over all turns */
  rubric_scores?: RubricScore[];
  /** TurnMean is the mean of the turns' scores, as which ADK's documentation describes Score. Score is the mean over all rubrics of all turns. */
  mean_of_invocations?: number;
  invocations: InvocationResult[];
  /** the judge, if it was not a model */
  notice?: string;
  /** paid replies for turns without a result */
  replies?: Reply[];
  /** of tool calls */
  match_type?: string;
  ignore_args?: boolean;
  asked: TurnQuestion[];
}

/** FlippingVerdict is an alternative verdict that makes a metric of a case pass or fail. */
export interface FlippingVerdict {
  grader: string;
  /** from 1; turns of later runs count on */
  turn?: number;
  /** of the judged item; for a sentence the numbers of its text and its own: 1.2 */
  id: string;
  satisfied?: boolean;
  /** for a label that samples vote on: the votes in favour */
  votes?: number;
  /** of a sentence; see `ScoreLabels` */
  label?: string;
  /** the metric's score with that verdict */
  score: number | null;
  eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  final_eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
}

/** MeasureResult holds the metrics of a case. Untried is how many verdicts Flips did not try, because there are too many. */
export interface MeasureResult {
  final_eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  reason?: string;
  metrics: MeasuredMetric[];
  flips?: FlippingVerdict[];
  untried?: number;
  /** by the agent: the informational metrics, in words */
  took?: string;
}

/** MetricParams holds the parameters of `metric`. */
export interface MetricParams {
  name: string;
  criterion?: unknown;
  actual?: unknown;
  expected?: unknown;
  /** of the case */
  rubrics?: unknown;
  scenario?: unknown;
  replies?: unknown;
  /** the offline judge answers instead of replies */
  offline?: boolean;
  profile?: "latest" | "2.0";
  evalset?: string;
  /** an .evalset_result.json or an evalset; without it, the evalset's own conversation is measured */
  recorded?: string;
  /** a test_config.json */
  config?: string;
  /** optional if there is only one case */
  case?: string;
}

/** Question is a question to a judge. Its reply is passed under Key. Schema is null if any text is valid. */
export interface Question {
  key: string;
  system: string;
  user: string;
  schema: unknown;
  /** number of this sample, from 0, if several independent answers are requested */
  sample?: number;
}

/** MetricResult is a metric's result, and the questions that a judge must answer first. */
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
  /** TurnMean is the mean of the turns' scores, as which ADK's documentation describes Score. Score is the mean over all rubrics of all turns. */
  mean_of_invocations?: number;
  invocations: InvocationResult[];
  /** the judge, if it was not a model */
  notice?: string;
  /** paid replies for turns without a result */
  replies?: Reply[];
  questions: Question[];
}

/** OpenParams holds the parameters of `open`. */
export interface OpenParams {
  document: string;
  text: string;
  path?: string;
  /** the editor's version, repeated in results */
  version?: number;
  /** Rules maps rule ids to severities, as in the project's settings file. */
  rules?: Record<string, string>;
  /** Together says that the documents opened this way are all files there are. References are resolved among them. */
  together?: boolean;
}

/** OrderParams holds the parameters of `order`. */
export interface OrderParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  cases: string[];
}

/** RunOrder are the cases to run, those that others depend on first. Notes say which cases are added because others depend on them, and which ones cannot be graded. Needed are the cases that others depend on; `run` wants to know of no other whether it has completed. */
export interface RunOrder {
  cases: string[];
  needed: string[];
  notes: string[];
}

/** PlanParams holds the parameters of `plan`. */
export interface PlanParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  /** under `rubric`, as in VS Code */
  settings?: Record<string, unknown>;
  /** the text of the .rubric.yaml that applies */
  project?: string;
  /** the user does not trust the workspace */
  untrusted?: boolean;
  /** a test_config.json; without it, ADK's default metrics apply */
  config?: string;
  /** an .evalset_result.json or an evalset; without it, the evalset's own conversations are measured */
  recorded?: string;
}

/** PreviewGrader says what a run would do for one grader. */
export interface PreviewGrader {
  name: string;
  type: "llm_judge" | "code_judge" | "composite" | "tool_trajectory" | "field_accuracy" | "latency" | "cost" | "token_usage" | "execution_metrics" | "metric" | "turn" | "transcript" | "none" | "deterministic" | "assert_set" | "trace_steps" | "external";
  criteria?: number;
}

/** PreviewCase says what a run would do for one case. */
export interface PreviewCase {
  case: string;
  graders: PreviewGrader[];
}

/** PlannedContact is what a target or a judge would reach. */
export interface PlannedContact {
  /** target or judge */
  role: string;
  name: string;
  /** with `http://` if requests cross the network unencrypted */
  host?: string;
  /** where the key is from */
  key?: string;
  /** other variables in the requests, with their setting */
  sends?: string[];
  /** the program that runs */
  command?: string;
  /** host of the healthcheck */
  health?: string;
}

/** NotRun is a case that would not be graded, and why. */
export interface NotRun {
  case: string;
  reason: string;
}

/** PlannedSettings are what settings and files say about a run, as parameters for `run`. */
export interface PlannedSettings {
  judge: string;
  /** 0 means as the metrics say */
  samples?: number;
  profile: "spec" | "agentv" | "agentv-4" | "agentv-head" | "promptfoo";
  threshold?: number;
}

/** RunPlan says what a run would do, or why it would not start. Settings are parameters for `run`. */
export interface RunPlan {
  target: string;
  judge: string;
  /** the run is allowed */
  trusted: boolean;
  cases: PreviewCase[];
  /** to a judge other than the offline one, if it needs no second attempt */
  questions: number;
  /** of these, answered from the cache */
  cached?: number;
  /** in US dollars, lowest and highest, of the judge's priced questions */
  cost?: [number, number];
  /** what target and judge would reach */
  contacts?: PlannedContact[];
  /** graders that are programs; they run only where that is allowed */
  programs: number;
  /** why the run, or some cases, cannot run */
  errors: string[];
  /** the cases that have errors */
  skipped?: NotRun[];
  notes?: string[];
  settings: PlannedSettings;
  refused?: string;
  /** target and judge in a few words */
  label: string;
}

/** PromptParams holds the parameters of `prompt`. */
export interface PromptParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  answer?: string;
  profile?: "spec" | "agentv" | "agentv-4" | "agentv-head" | "promptfoo";
}

/** PromptResult is the exact question to a judge, and the JSON Schema of its reply. */
export interface PromptResult {
  system: string;
  user: string;
  schema: unknown;
}

/** Provider is an API for models. Base is its default address. */
export interface Provider {
  name: string;
  base: string;
  /** works without an API key */
  keyless: boolean;
}

/** RecordingParams holds the parameters of `recording`. */
export interface RecordingParams {
  text: string;
}

/** Message is one message of a conversation. Content is a string or any JSON value: a list of {type, value} parts, or structured data. */
export interface Message {
  role: string;
  name?: string;
  content?: unknown;
  tool_calls?: unknown;
}

/** ToolCall is one tool call of a target. */
export interface ToolCall {
  tool: string;
  input?: unknown;
  output?: unknown;
  duration_ms?: number;
  /** "" or "ok", "unknown", or how the call failed */
  status?: string;
}

/** RecordedAnswer is an answer and, if a result file holds it, the case that it answers. */
export interface RecordedAnswer {
  candidate_answer: string;
  output_messages?: Message[];
  /** in order; empty: taken from Messages */
  tool_calls?: ToolCall[];
  trace_summary?: Trace;
  guideline_files?: string[];
  input_files?: string[];
  /** "" if unknown */
  case_fingerprint?: string;
  question?: string;
}

/** Submissions are recorded answers by case id. */
export interface Submissions {
  answers: Record<string, RecordedAnswer>;
}

/** ReferencesParams holds the parameters of `references`. */
export interface ReferencesParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
  declared?: boolean;
}

/** RenameParams holds the parameters of `rename`. */
export interface RenameParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
  newName: string;
}

/** RenameableParams holds the parameters of `renameable`. */
export interface RenameableParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  position: Position;
}

/** Renameable is a name that can be renamed. */
export interface Renameable {
  range: Range;
  placeholder: string;
}

/** ReportParams holds the parameters of `report`. */
export interface ReportParams {
  document?: string;
  name?: string;
  path?: string;
  records: CaseRecord[];
}

/** Totals counts the cases of a report or a suite. */
export interface Totals {
  cases: number;
  pass: number;
  borderline: number;
  fail: number;
  /** cases that could not be judged in full */
  ungraded: number;
  /** cases that were not run to their end */
  errors: number;
  /** graders and criteria without a grade, in all cases */
  missing_grades: number;
  /** of the cases with a score; nil without any */
  mean_score: number | null;
  /** used by judges */
  judges_spent: ModelUsage;
  /** used by targets */
  targets_spent: ModelUsage;
}

/** ReportResult is the page that `rubric run --format html` writes, and its totals. Stale is how many records belong to cases that the document no longer has in that form. */
export interface ReportResult {
  html: string;
  totals: Totals;
  stale: number;
}

/** RequestParams holds the parameters of `request`. */
export interface RequestParams {
  provider: string;
  model: string;
  system: string;
  user: string;
  schema?: unknown;
  sample?: number;
  without?: ("schema" | "temperature" | "seed")[];
}

/** WireRequest is the path, below the model's address, and the JSON body to POST. It contains no key; the host adds it. */
export interface WireRequest {
  path: string;
  body: string;
}

/** ResolveParams holds the parameters of `resolve`. */
export interface ResolveParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  data: unknown;
}

/** Resolved holds what an item or an action left out. Note tells the user what the edit does not do. */
export interface Resolved {
  documentation?: MarkupContent;
  edit?: WorkspaceEdit;
  note?: string;
}

/** ResponseParams holds the parameters of `response`. */
export interface ResponseParams {
  provider: string;
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** WireFault is why there is no answer, in one sentence, with what can be done. */
export interface WireFault {
  message: string;
  /** the provider as a whole did not answer, not only this question */
  unreachable: boolean;
  /** the same request may succeed later */
  passing: boolean;
  /** seconds that the provider asks to wait; 0 if it does not say */
  after: number;
  /** a feature that the model does not support; the request can be repeated without it */
  feature?: "schema" | "temperature" | "seed";
}

/** WireResponse is the answer in a response, or the fault if it has none. */
export interface WireResponse {
  text: string;
  model: string;
  usage: Usage;
  fault?: WireFault;
}

/** Rule is a lint rule with an example that it reports (Bad) and one that it does not (Good). Each is a file at Path, next to the files in Files. */
export interface Rule {
  id: string;
  severity: string;
  summary: string;
  bad: string;
  good: string;
  path: string;
  beside?: Record<string, string>;
}

/** JudgeAnswer is a judge's reply to a question, or an error. Unreachable says that the judge could not be reached. */
export interface JudgeAnswer {
  text: string;
  model?: string;
  /** the member of a panel */
  judge?: string;
  usage?: Usage;
  /** from a cache or a recording */
  kept?: boolean;
  error?: string;
  unreachable?: boolean;
}

/** ProgramOutput is the output of a program, or an error if it did not end normally. */
export interface ProgramOutput {
  stdout: string;
  stderr: string;
  code: number;
  error?: string;
}

/** RunParams holds the parameters of `run`. */
export interface RunParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  /** the answer to grade; without it, what the file records or expects */
  submission?: RecordedAnswer;
  /** the target's name in the record; `self`, `echo:` and `mock:ANSWER` are run without a submission */
  target?: string;
  /** the judge's name in the record; the default `offline` answers at once */
  judge?: string;
  /** Answers holds a judge's answers by question key. With Replay, a missing answer is an error, because it was not recorded. */
  answers?: Record<string, JudgeAnswer>;
  replay?: boolean;
  /** how often a judge is asked for each judgement; the default is once */
  samples?: number;
  /** Printed holds the outputs of WebAssembly graders by key. */
  printed?: Record<string, ProgramOutput>;
  profile?: "spec" | "agentv" | "agentv-4" | "agentv-head" | "promptfoo";
  /** Threshold is the score from which the case passes; 0 means by its verdict. */
  threshold?: number;
  /** Completed has the cases of the same run that have ended, and whether each was run to its end. Without it, the case runs by itself. */
  completed?: Record<string, boolean>;
  /** a test_config.json; without it, ADK's default metrics apply */
  config?: string;
  /** an .evalset_result.json or an evalset; without it, the evalset's own conversations are measured */
  recorded?: string;
}

/** Item is the result of one item of a test explorer: a case, a metric or a criterion. */
export interface Item {
  /** the case's id, the grader's name, the criterion's id */
  path: string[];
  /** pass, borderline, fail or ungraded */
  state: string;
  /** of a criterion 0–10, else 0–1; nil where the state is ungraded */
  score?: number;
  message?: string;
}

/** Program is a WebAssembly grader (a WASI command) to run: its arguments, the module's file first, and its standard input. Its output is passed under Key. */
export interface Program {
  key: string;
  argv: string[];
  stdin: string;
}

/** RunResult is the result of a case and what it still needs. While questions or programs remain, the criteria that wait for them are ungraded. Verdict is the verdict of the record. */
export interface RunResult {
  record: CaseRecord;
  /** pass, borderline, fail or ungraded */
  standing: string;
  /** Items are the results of the criteria and metrics, followed by that of the case. */
  items: Item[];
  questions: Question[];
  programs: Program[];
  /** the case was run to its end */
  completed: boolean;
}

/** SchemaParams holds the parameters of `schema`. */
export interface SchemaParams {
  name: string;
}

/** SchemaResult is the JSON Schema (draft-07) of a kind of file. */
export interface SchemaResult {
  schema: unknown;
}

/** ScoreParams holds the parameters of `score`. */
export interface ScoreParams {
  rubrics?: unknown;
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
  reply: unknown;
  profile?: "spec" | "agentv" | "agentv-4" | "agentv-head" | "promptfoo";
}

/** ScoreResult is the score of a reply. Problems are the errors in the reply. */
export interface ScoreResult {
  /** 0–1; nil if the verdict is ungraded */
  score: number | null;
  verdict: "pass" | "borderline" | "fail" | "ungraded";
  gates: Gate[];
  hits: string[];
  misses: string[];
  grades: Grade[];
  problems: string[];
}

/** SelectionParams holds the parameters of `selection`. */
export interface SelectionParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  positions: Position[];
}

/** SelectionRange is a range and the next larger one. */
export interface SelectionRange {
  range: Range;
  parent?: SelectionRange;
}

/** SemanticParams holds the parameters of `semantic`. */
export interface SemanticParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  range?: Range;
}

/** SemanticTokens are LSP semantic tokens: five numbers each, with the legend of `capabilities`. */
export interface SemanticTokens {
  data: number[];
}

/** SuiteParams holds the parameters of `suite`. */
export interface SuiteParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  case?: string;
}

/** Band is one labelled score range, both ends inclusive. */
export interface Band {
  score_range: [number, number];
  expected_outcome: string;
}

/** Criterion is one criterion of a rubric. Required is the effective value. A minimum or ranges are present only if the criterion has them. */
export interface Criterion {
  id: string;
  expected_outcome: string;
  weight: number;
  required: boolean;
  required_min_score?: number;
  score_ranges?: Band[];
}

/** Evaluator is one grader of a case. */
export interface Evaluator {
  name: string;
  type: string;
  weight: number;
  /** its score is 1 or 0 */
  yes_no?: boolean;
  rubrics?: Criterion[];
  evaluators?: Evaluator[];
}

/** Case is a case as it will be graded. */
export interface Case {
  id: string;
  expected_outcome: string;
  question: string;
  reference_answer: string;
  rubrics: Criterion[];
  evaluators: Evaluator[];
  /** recorded in the file; a run grades it and asks no target */
  answer?: string;
}

/** Target is a system under test. */
export interface Target {
  name: string;
  built_in: boolean;
}

/** SuiteResult is the effective content of a file: with defaults filled in, and without what the runner drops. */
export interface SuiteResult {
  dialect: string;
  cases: Case[];
  /** Targets are the systems under test that the file names. Method `run` asks those that are built in; of others it takes the answers that it is given. */
  targets: Target[];
}

/** SymbolsParams holds the parameters of `symbols`. */
export interface SymbolsParams {
  text?: string;
  /** of the text; determines the format */
  path?: string;
  /** an open document, instead of a text */
  document?: string;
  range?: Range;
}

/** DocumentSymbol is an LSP document symbol. */
export interface DocumentSymbol {
  name: string;
  detail?: string;
  kind: number;
  range: Range;
  selectionRange: Range;
  children?: DocumentSymbol[];
}

/** TapeParams holds the parameters of `tape`. */
export interface TapeParams {
  text: string;
}

/** JudgeRecording holds a judge's answers by question key. */
export interface JudgeRecording {
  answers: Record<string, JudgeAnswer>;
  /** the judge's name, or the names of a panel's members, if all lines name the same */
  judges?: string[];
}

/** RunOption describes an option of runs: a parameter of `run`, or the number of questions at a time. */
export interface RunOption {
  name: string;
  /** of JSON */
  type: string;
  default: unknown;
  min?: number;
  /** 0 means no limit */
  max?: number;
  values?: string[];
  /** in Markdown */
  description: string;
}

/** VersionResult identifies the evaluator. */
export interface VersionResult {
  version: string;
  abi: number;
  dialects: string[];
  /** WholeWanted names what open files need of rubric.wasm, such as JSON Schemas, if this is rubric-small.wasm. */
  wholeWanted?: string;
  /** of runs in a page */
  options: RunOption[];
}

/** VersionedDocument is a version of a document. Version is null for a document that is not open. */
export interface VersionedDocument {
  uri: string;
  version: number | null;
}

/** DocumentEdit holds the edits of one document. */
export interface DocumentEdit {
  textDocument: VersionedDocument;
  edits: TextEdit[];
}

/** Methods maps each evaluator method to its parameters and result. */
export interface Methods {
  /** the code actions in a range: fixes, refactorings, names of other versions */
  actions: { params: ActionsParams; result: CodeAction[] };
  /** the open files that an evalset or a result file is evaluated with */
  beside: { params: BesideParams; result: EvalsetFiles };
  /** what an editor must know before its first request */
  capabilities: { params: Record<string, never>; result: Capabilities };
  /** the ids of a file's cases and their ranges */
  cases: { params: CasesParams; result: CaseHead[] };
  /** the diagnostics of a file */
  check: { params: CheckParams; result: CheckResult };
  /** the completions at a position */
  complete: { params: CompleteParams; result: CompletionList };
  /** the declarations of a name, in all open documents */
  definition: { params: DefinitionParams; result: Location[] };
  /** the diagnostics, in LSP form */
  diagnose: { params: DiagnoseParams; result: Finding[] };
  /** criteria for a case without any, as edits */
  draft: { params: DraftParams; result: DraftResult };
  /** edits an open document */
  edit: { params: EditParams; result: Opened };
  /** the edits after a line break */
  enter: { params: EnterParams; result: TextEdit[] };
  /** a rule's page */
  explain: { params: ExplainParams; result: RulePage };
  /** the nearest other grades that change a case's verdict */
  flip: { params: FlipParams; result: FlipResult };
  /** the folding ranges */
  fold: { params: FoldParams; result: FoldingRange[] };
  /** closes a document */
  forget: { params: ForgetParams; result: Closed };
  /** the edits that format lines */
  format: { params: FormatParams; result: TextEdit[] };
  /** the format of a file, and all formats that there are */
  formats: { params: FormatsParams; result: FormatsResult };
  /** the score of grades that the user types */
  grade: { params: GradeParams; result: GradeResult };
  /** the ranges that refer to the same name */
  highlight: { params: HighlightParams; result: DocumentHighlight[] };
  /** the documentation of a position */
  hover: { params: HoverParams; result: Hover | null };
  /** the inlay hints: effective values that the text leaves out */
  inlay: { params: InlayParams; result: InlayHint[] };
  /** stores the record of a case that ran elsewhere */
  keep: { params: KeepParams; result: StoredRecord };
  /** the last result of a case, and which parts of it are stale */
  last: { params: LastParams; result: LastResult | null };
  /** the code lenses */
  lens: { params: LensParams; result: CodeLens[] };
  /** the ranges that change together */
  linked: { params: LinkedParams; result: LinkedRanges | null };
  /** the links to web addresses */
  links: { params: LinksParams; result: DocumentLink[] };
  /** the answer to a request of the Language Server Protocol about an open document */
  lsp: { params: LspParams; result: LanguageServerAnswer };
  /** the metrics of an evalset case for verdicts that the user types, and what would flip them */
  measure: { params: MeasureParams; result: MeasureResult };
  /** the result of an ADK metric for a conversation */
  metric: { params: MetricParams; result: MetricResult };
  /** opens a text under a name, to edit and query it */
  open: { params: OpenParams; result: Opened };
  /** the cases of a run in the order in which they run, with what they depend on */
  order: { params: OrderParams; result: RunOrder };
  /** what a run of a file or of one case would do in an editor, and whom it would ask */
  plan: { params: PlanParams; result: RunPlan };
  /** the question to a judge about a case, and the JSON Schema of its reply */
  prompt: { params: PromptParams; result: PromptResult };
  /** the APIs through which models can be asked */
  providers: { params: Record<string, never>; result: Provider[] };
  /** the answers in a recording of a target */
  recording: { params: RecordingParams; result: Submissions };
  /** the locations of a name, in all open documents */
  references: { params: ReferencesParams; result: Location[] };
  /** the edits that rename a name, in all open documents */
  rename: { params: RenameParams; result: WorkspaceEdit };
  /** the name at a position, if it can be renamed */
  renameable: { params: RenameableParams; result: Renameable };
  /** records as an HTML page */
  report: { params: ReportParams; result: ReportResult };
  /** the HTTP request that asks a model a question, without the key */
  request: { params: RequestParams; result: WireRequest };
  /** a completion's documentation or an action's edit */
  resolve: { params: ResolveParams; result: Resolved };
  /** the answer in the HTTP response of a model's server */
  response: { params: ResponseParams; result: WireResponse };
  /** all rules, each with an example */
  rules: { params: Record<string, never>; result: Rule[] };
  /** the result of a case, and the questions and programs that it still needs */
  run: { params: RunParams; result: RunResult };
  /** the JSON Schema of a kind of file */
  schema: { params: SchemaParams; result: SchemaResult };
  /** the score of a judge's reply, and the errors in it */
  score: { params: ScoreParams; result: ScoreResult };
  /** the selection ranges */
  selection: { params: SelectionParams; result: (SelectionRange | null)[] };
  /** the semantic tokens */
  semantic: { params: SemanticParams; result: SemanticTokens };
  /** the effective content of a file or of one case, with defaults */
  suite: { params: SuiteParams; result: SuiteResult };
  /** the outline */
  symbols: { params: SymbolsParams; result: DocumentSymbol[] };
  /** the answers in a recording of a judge */
  tape: { params: TapeParams; result: JudgeRecording };
  /** the evaluator's version */
  version: { params: Record<string, never>; result: VersionResult };
}
