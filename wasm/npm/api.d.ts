// Written by `make generate` from package wasm/api. Do not edit.

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

/** ActionsParams is what `actions` takes. */
export interface ActionsParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  range?: Range;
  only?: string[];
}

/** CodeDescription is where a rule is explained. */
export interface CodeDescription {
  href: string;
}

/** Location is a stretch of a file, by the name of its document. */
export interface Location {
  uri: string;
  range: Range;
}

/** RelatedFinding is a second place of a finding. */
export interface RelatedFinding {
  location: Location;
  message: string;
}

/** Finding is a diagnostic of the Language Server Protocol. */
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

/** Disabled says why an action cannot be had. */
export interface Disabled {
  reason: string;
}

/** Span is a half-open interval of byte offsets, [Start, End). An empty span is a caret between two bytes. There is no "unknown place": a finding about a whole file points at its first key. */
export interface Span {
  start: number;
  end: number;
}

/** actionData is what an action does to one version of a document. */
export interface ActionData {
  uri: string;
  version: number;
  rule?: string;
  fix?: number;
  /** the rule, instead of a fix */
  ignore?: boolean;
  refactor?: string;
  span?: Span;
  /** ToVersion is the version of AgentV whose names are to be written. */
  into?: "seed" | "stable-4.42.4" | "head";
}

/** CodeAction is something that can be done. Data is for `resolve`, which gives the edit. */
export interface CodeAction {
  title: string;
  kind: string;
  diagnostics?: Finding[];
  isPreferred?: boolean;
  disabled?: Disabled;
  data?: ActionData;
}

/** BesideParams is what `beside` takes. */
export interface BesideParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
}

/** EvalsetFiles are the files that an evalset or a result file is measured with. */
export interface EvalsetFiles {
  /** a test_config.json; without it what ADK measures without one */
  config?: string;
  /** an .evalset_result.json or an evalset; without it the evalset's own is measured */
  recorded?: string;
  /** who had the conversations: the name of the recorded ones' file */
  target?: string;
}

/** Capabilities are what an editor has to know of the answers before it asks. */
export interface Capabilities {
  /** characters */
  completionTriggers: string[];
  /** what `enter` is asked after */
  enterTrigger: string;
  actionKinds: string[];
  tokenTypes: string[];
  tokenModifiers: string[];
}

/** CasesParams is what `cases` takes. */
export interface CasesParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
}

/** CaseHead is a case by its id, and the place where it is shown. */
export interface CaseHead {
  id: string;
  range: Range;
}

/** CheckParams is what `check` takes. */
export interface CheckParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
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

/** CompleteParams is what `complete` takes. */
export interface CompleteParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
}

/** Command is what an editor does when it is told to. */
export interface Command {
  title: string;
  command: string;
  arguments?: unknown[];
}

/** topic is what an item's documentation is about. */
export interface Topic {
  uri: string;
  topic: string;
}

/** CompletionItem is something that could stand at a place. Data is for `resolve`. */
export interface CompletionItem {
  label: string;
  kind: number;
  detail?: string;
  sortText: string;
  filterText?: string;
  /** 2 for a snippet */
  insertTextFormat?: number;
  /** 1: indented as it has to be */
  insertTextMode: number;
  textEdit: TextEdit | null;
  command?: Command;
  data?: Topic;
}

/** CompletionList is what could stand at a place, the likeliest first. */
export interface CompletionList {
  isIncomplete: boolean;
  items: CompletionItem[];
}

/** DefinitionParams is what `definition` takes. */
export interface DefinitionParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
}

/** DiagnoseParams is what `diagnose` takes. */
export interface DiagnoseParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
}

/** DraftParams is what `draft` takes. */
export interface DraftParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
  reply?: unknown;
}

/** DraftResult is the criteria as edits of the text, and the text with them. Problems say what could not be used: without edits the text is as it was. */
export interface DraftResult {
  edits: TextEdit[];
  text: string;
  problems: string[];
}

/** Change puts a text into the place of a range, or of everything. */
export interface Change {
  range?: Range;
  text: string;
}

/** EditParams is what `edit` takes. */
export interface EditParams {
  document: string;
  version?: number;
  changes: Change[];
}

/** Opened is a document that was opened or edited. */
export interface Opened {
  /** Recognised says that some version since it was opened said of itself that it is an eval file. Editors say nothing of others, whose YAML is none of ours. */
  recognised: boolean;
  /** Problems are the rules that cannot be given the severity asked for. */
  problems?: string[];
  /** Affected are the other documents about which there may be something else to say now. */
  affected?: string[];
}

/** EnterParams is what `enter` takes. */
export interface EnterParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
}

/** ExplainParams is what `explain` takes. */
export interface ExplainParams {
  rule: string;
}

/** RulePage is a rule and its page in Markdown, with what the program says of its example. */
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

/** ManualGrade is a grade that somebody types: of a criterion, or, without one, of a whole grader. */
export interface ManualGrade {
  /** "" for any that has the criterion */
  grader?: string;
  /** of the criterion */
  id?: string;
  satisfied?: boolean;
  /** of a criterion 0–10, of a grader 0–1 */
  score?: number;
}

/** FlipParams is what `flip` takes. */
export interface FlipParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
  grades: ManualGrade[];
}

/** VerdictFlip is another grade of a criterion, or of a grader without criteria, by which a case's verdict changes. */
export interface VerdictFlip {
  grader: string;
  /** of the criterion; "" for the whole grader */
  id: string;
  satisfied?: boolean;
  /** of a criterion 0–10, of a grader 0–1 */
  score?: number;
  /** 0–1, with that grade */
  case_score: number;
  verdict: "pass" | "borderline" | "fail";
}

/** FlipResult is for each typed grade the nearest other ones by which the case's verdict changes, one for each verdict that it can change to. */
export interface FlipResult {
  flips: VerdictFlip[];
}

/** FoldParams is what `fold` takes. */
export interface FoldParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  range?: Range;
}

/** FoldingRange is lines that can be folded away; Kind is comment for a run of those. */
export interface FoldingRange {
  startLine: number;
  endLine: number;
  kind?: string;
}

/** ForgetParams is what `forget` takes. */
export interface ForgetParams {
  document: string;
}

/** Closed is a document that was let go. Affected are the others about which there may be something else to say now. */
export interface Closed {
  affected?: string[];
}

/** FormatParams is what `format` takes. */
export interface FormatParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  range?: Range;
}

/** GradeParams is what `grade` takes. */
export interface GradeParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
  grades: ManualGrade[];
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

/** ManualGraderResult is what the typed grades of one grader come to. */
export interface ManualGraderResult {
  name: string;
  score: number;
  verdict: "pass" | "borderline" | "fail";
}

/** GradeResult is what typed grades come to. Range is where the case is shown. */
export interface GradeResult {
  /** 0–1 */
  score: number;
  verdict: "pass" | "borderline" | "fail";
  gates: Gate[];
  hits: string[];
  misses: string[];
  ungraded: number;
  reasons: string[];
  graders: ManualGraderResult[];
  range: Range;
}

/** HighlightParams is what `highlight` takes. */
export interface HighlightParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
}

/** DocumentHighlight is a place that belongs to another: 1 the same words, 2 what refers to it, 3 what is referred to. */
export interface DocumentHighlight {
  range: Range;
  kind: number;
}

/** HoverParams is what `hover` takes. */
export interface HoverParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
}

/** MarkupContent is Markdown. */
export interface MarkupContent {
  kind: string;
  value: string;
}

/** Hover is what is told of a place. */
export interface Hover {
  contents: MarkupContent | null;
  range: Range;
}

/** InlayParams is what `inlay` takes. */
export interface InlayParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  range?: Range;
}

/** InlayHint is a word between those of the text: what holds and is not written. */
export interface InlayHint {
  position: Position;
  label: string;
  tooltip?: MarkupContent;
  paddingLeft: boolean;
}

/** Opinion is what one sample said of a criterion. Exactly one of Satisfied, Score and Ungraded is set. */
export interface Opinion {
  /** of a panel; "" for the one that there is */
  judge?: string;
  /** which, from 0 */
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
  /** Agreement is the share of samples, 0–1, that gave this very grade; nil when the judge was asked once. */
  agreement?: number;
  /** FlipRate is the share of the pairs of samples, 0–1, that say otherwise: the chance that asking once more turns the grade. Scores of one band say the same. */
  flip_rate?: number;
  /** of all samples, in the order asked */
  opinions?: Opinion[];
}

/** Terms are what a suite asks of a grader as a whole, besides its own settings. */
export interface Terms {
  /** the opposite of what is found is wanted */
  negate?: boolean;
  /** it is a gate of its case */
  required?: boolean;
  /** the score, 0–1, from which it passes; nil: Threshold */
  min_score?: number;
  /** Threshold is the score, 0–1, from which its case passes; nil: `PassAt`. */
  threshold?: number;
}

/** BandRecord is a score range as it was judged. */
export interface BandRecord {
  score_range: [number, number];
  expected_outcome: string;
}

/** CriterionRecord is a criterion as it was judged. */
export interface CriterionRecord {
  id: string;
  /** somebody wrote the id, though one like `rubric-1` is otherwise given */
  id_written?: boolean;
  expected_outcome: string;
  weight: number;
  required: boolean;
  required_min_score?: number;
  score_ranges?: BandRecord[];
}

/** Request is what a judge was asked first. */
export interface Request {
  system_prompt: string;
  user_prompt: string;
}

/** Usage counts tokens, where zero means not told, and what they cost in US dollars, where nil means that nobody knows. */
export interface Usage {
  input?: number;
  output?: number;
  cost_usd?: number;
}

/** ReplyRecord is a judge's raw reply. */
export interface ReplyRecord {
  text: string;
  /** of a panel */
  judge?: string;
  model?: string;
  usage?: Usage;
  /** it was there before, and nothing was paid for it */
  kept?: boolean;
  attempt?: number;
  sample?: number;
  /** why it could not be used */
  problems?: string[];
}

/** RubricScore is the verdict on a property: 1 for yes, 0 for no, nil for neither. */
export interface RubricScore {
  rubric_id: string;
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

/** Reply is one answer of a judge. */
export interface Reply {
  text: string;
  model?: string;
  usage?: Usage;
  /** taken from a cache at no cost */
  kept?: boolean;
  /** what was unusable in it */
  problems?: string[];
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

/** GraderRecord is what one grader made of a submission. */
export interface GraderRecord {
  name: string;
  type: "deterministic" | "assert_set" | "external" | "llm_judge" | "code_judge" | "composite" | "tool_trajectory" | "field_accuracy" | "latency" | "cost" | "token_usage" | "execution_metrics" | "metric" | "turn";
  weight: number;
  /** 0–1 */
  score: number;
  verdict: "pass" | "borderline" | "fail";
  gates: Gate[];
  hits: string[];
  misses: string[];
  grades?: Grade[];
  reasoning?: string;
  details?: unknown;
  /** Ungraded says what could not be judged, and why; Verdict is then Fail without being a judgement. Score is what the judged part is worth on its own, a lower bound: 0 when nothing was judged. */
  ungraded?: string;
  /** what the result is held to */
  terms?: Terms;
  criteria?: CriterionRecord[];
  evaluator_provider_request?: Request;
  replies?: ReplyRecord[];
  /** turn by turn, of a metric; see `Turns` */
  metric?: Result;
  /** how the members were combined */
  aggregator?: string;
  evaluator_results?: GraderRecord[];
  /** with the grader's own settings */
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

/** CaseRecord is one line of a result file, as `rubric run` writes it. */
export interface CaseRecord {
  /** RFC 3339, UTC */
  timestamp?: string;
  eval_id: string;
  dataset?: string;
  conversation_id?: string;
  /** of what the case meant; see rubric.Case */
  case_fingerprint?: string;
  question?: string;
  expected_outcome?: string;
  target?: string;
  judge?: string;
  /** judgements per criterion and judge; 0: one */
  samples?: number;
  /** where the case stands, as it was named; slashes */
  eval_file?: string;
  profile: "spec" | "agentv" | "agentv-4" | "agentv-head";
  /** 0–1 */
  score: number;
  verdict: "pass" | "borderline" | "fail";
  gates: Gate[];
  hits: string[];
  misses: string[];
  reasoning?: string;
  /** why the verdict is not a pass */
  reasons?: string[];
  /** what was not judged; see score.CaseResult */
  ungraded: number;
  /** the score, 0–1, from which its file has it pass; nil: it does not say */
  threshold?: number;
  candidate_answer: string;
  evaluator_results: GraderRecord[];
  trace_summary?: Trace;
  /** why the case could not be run to its end */
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
}

/** KeepParams is what `keep` takes. */
export interface KeepParams {
  document: string;
  text: string;
  record: CaseRecord;
  /** a test_config.json; without it what ADK measures without one */
  config?: string;
  /** an .evalset_result.json or an evalset; without it the evalset's own is measured */
  recorded?: string;
}

/** StoredRecord says that a record is kept. */
export interface StoredRecord {
  case: string;
}

/** LastParams is what `last` takes. */
export interface LastParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
}

/** LastGrade is a grade of a run, in the form in which somebody could type it, of a criterion, of a whole grader, or of what a metric had judged. */
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
  /** of a criterion 0–10, of a grader 0–1 */
  score?: number;
  stale: boolean;
  /** why it was not judged */
  ungraded?: string;
  reasoning?: string;
}

/** LastResult is what a case came to when it was run last, as it stands now. Stale says that something that it rests on has changed since. */
export interface LastResult {
  /** pass, borderline, fail or unknown */
  standing: string;
  score: number;
  stale: boolean;
  judge?: string;
  grades: LastGrade[];
}

/** LensParams is what `lens` takes. */
export interface LensParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  range?: Range;
}

/** CodeLens is a line above the text that says or does something. */
export interface CodeLens {
  range: Range;
  command: Command;
}

/** LinkedParams is what `linked` takes. */
export interface LinkedParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
}

/** LinkedRanges are places that change together while one is typed in. */
export interface LinkedRanges {
  ranges: Range[];
  wordPattern: string;
}

/** LinksParams is what `links` takes. */
export interface LinksParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
}

/** DocumentLink is a text that leads to an address. */
export interface DocumentLink {
  range: Range;
  target: string;
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

/** MeasureParams is what `measure` takes. */
export interface MeasureParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
  grades?: ManualVerdict[];
  replies?: Record<string, string>;
  /** asks what would flip a metric, too */
  flips?: boolean;
  /** asks for the questions' texts, too */
  questions?: boolean;
  /** a test_config.json; without it what ADK measures without one */
  config?: string;
  /** an .evalset_result.json or an evalset; without it the evalset's own is measured */
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

/** TurnQuestion is a question about a turn, and what is said to each thing in it. */
export interface TurnQuestion {
  /** from 1 */
  turn: number;
  /** under which a raw reply is given */
  key: string;
  samples: number;
  form: "verdict" | "votes" | "label";
  /** none for a text that is to be cut into sentences */
  items: ManualItem[];
  system?: string;
  user?: string;
  schema?: unknown;
}

/** MeasuredMetric is what a metric says, what it is asked to be, and what a judge is asked for it. */
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

/** FlippingVerdict is another verdict by which a metric of a case passes or fails. */
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
  /** of the metric, with that verdict */
  score: number | null;
  eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  final_eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
}

/** MeasureResult is what the metrics say of a case. Untried is how many other verdicts were not tried for Flips, since there are too many. */
export interface MeasureResult {
  final_eval_status: "PASSED" | "FAILED" | "NOT_EVALUATED";
  reason?: string;
  metrics: MeasuredMetric[];
  flips?: FlippingVerdict[];
  untried?: number;
}

/** MetricParams is what `metric` takes. */
export interface MetricParams {
  name: string;
  criterion?: unknown;
  actual?: unknown;
  expected?: unknown;
  /** the case's own */
  rubrics?: unknown;
  scenario?: unknown;
  replies?: unknown;
  /** the stand-in judges, not replies */
  offline?: boolean;
  profile?: "latest" | "2.0";
  evalset?: string;
  /** an .evalset_result.json or an evalset; without it the evalset's own is measured */
  recorded?: string;
  /** a test_config.json */
  config?: string;
  /** may be left out if there is one only */
  case?: string;
}

/** Question is what a judge is asked. Key is what its reply is given under; Schema is null where any text will do. */
export interface Question {
  key: string;
  system: string;
  user: string;
  schema: unknown;
  /** which of several independent answers is wanted, from 0 */
  sample?: number;
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
  /** TurnMean is the mean of the turns' scores, as which ADK's documentation describes Score. Score is the mean over all rubrics of all turns. */
  mean_of_invocations?: number;
  invocations: InvocationResult[];
  /** the judge, if it was not a model */
  notice?: string;
  /** paid replies for turns without a result */
  replies?: Reply[];
  questions: Question[];
}

/** OpenParams is what `open` takes. */
export interface OpenParams {
  document: string;
  text: string;
  path?: string;
  /** for results; the editor's own */
  version?: number;
  /** Rules are the severities of rules by their id, as a project's settings have them. */
  rules?: Record<string, string>;
  /** Together says that the documents that are open so are all files that there are: what one refers to is looked for among the others. */
  together?: boolean;
}

/** PromptParams is what `prompt` takes. */
export interface PromptParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
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

/** Provider is one kind of server that models are asked at. Base is where it is unless another address is given. */
export interface Provider {
  name: string;
  base: string;
  /** it may be asked without a key */
  keyless: boolean;
}

/** RecordingParams is what `recording` takes. */
export interface RecordingParams {
  text: string;
}

/** Message is one turn of a conversation. Content is a string, or any JSON value: a list of {type, value} parts, or structured data. */
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
}

/** Submission is an answer to grade, with what is known about its origin. */
export interface Submission {
  candidate_answer: string;
  output_messages?: Message[];
  /** in order; empty: taken from Messages */
  tool_calls?: ToolCall[];
  trace_summary?: Trace;
  guideline_files?: string[];
  input_files?: string[];
}

/** Submissions are recorded answers, by the ids of their cases. */
export interface Submissions {
  answers: Record<string, Submission>;
}

/** ReferencesParams is what `references` takes. */
export interface ReferencesParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
  declared?: boolean;
}

/** RenameParams is what `rename` takes. */
export interface RenameParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
  newName: string;
}

/** VersionedDocument is a version of a document; null for one that is not open. */
export interface VersionedDocument {
  uri: string;
  version: number | null;
}

/** DocumentEdit is edits of one document. */
export interface DocumentEdit {
  textDocument: VersionedDocument;
  edits: TextEdit[];
}

/** WorkspaceEdit is edits of documents. */
export interface WorkspaceEdit {
  documentChanges: DocumentEdit[];
}

/** RenameableParams is what `renameable` takes. */
export interface RenameableParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  position: Position;
}

/** Renameable is a name that can be given another spelling. */
export interface Renameable {
  range: Range;
  placeholder: string;
}

/** ReportParams is what `report` takes. */
export interface ReportParams {
  document?: string;
  name?: string;
  path?: string;
  records: CaseRecord[];
}

/** ModelUsage is what models took, as far as it is known. */
export interface ModelUsage {
  /** answers of models, that each cost something */
  calls: number;
  /** answers that were there before, for which nothing was paid */
  kept?: number;
  input_tokens: number;
  output_tokens: number;
  /** of the answers whose cost is known */
  cost_usd: number;
  /** the others */
  calls_unpriced?: number;
}

/** Totals counts the cases of a report or a suite. */
export interface Totals {
  cases: number;
  pass: number;
  borderline: number;
  fail: number;
  /** of those that fail: not run to their end */
  errors: number;
  /** graders and criteria without a judgement */
  ungraded: number;
  mean_score: number;
  /** what those took who judged */
  judges_spent: ModelUsage;
  /** and those who answered */
  targets_spent: ModelUsage;
}

/** ReportResult is the page that `rubric run --format html` writes, and what it counts. Stale are records of cases that the document does not have as they were. */
export interface ReportResult {
  html: string;
  totals: Totals;
  stale: number;
}

/** RequestParams is what `request` takes. */
export interface RequestParams {
  provider: string;
  model: string;
  system: string;
  user: string;
  schema?: unknown;
  sample?: number;
  without?: ("schema" | "temperature" | "seed")[];
}

/** WireRequest is what to POST to a path below the model's address, as JSON. It holds no key: whoever has one adds it. */
export interface WireRequest {
  path: string;
  body: string;
}

/** ResolveParams is what `resolve` takes. */
export interface ResolveParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  data: unknown;
}

/** Resolved is what an item or an action was offered without. Note is what a person is to be told of what the edit does not do. */
export interface Resolved {
  documentation?: MarkupContent;
  edit?: WorkspaceEdit;
  note?: string;
}

/** ResponseParams is what `response` takes. */
export interface ResponseParams {
  provider: string;
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** WireFault is why there is no answer, in one sentence, and what can be done. */
export interface WireFault {
  message: string;
  /** it is not this one question that got no answer */
  unreachable: boolean;
  /** the same request may well be answered later */
  passing: boolean;
  /** for how long the provider asks to wait, in seconds; 0: it does not say */
  after: number;
  /** what the model does not take; the request can be made without */
  feature?: "schema" | "temperature" | "seed";
}

/** WireResponse is the answer in what came back, and if there is none the fault. */
export interface WireResponse {
  text: string;
  model: string;
  usage: Usage;
  fault?: WireFault;
}

/** Rule is a lint rule. Bad is an example that it reports, and Good one that it does not, of a file at Path with those of Beside beside it. */
export interface Rule {
  id: string;
  severity: string;
  summary: string;
  bad: string;
  good: string;
  path: string;
  beside?: Record<string, string>;
}

/** JudgeAnswer is what a judge has said to a question, or why it said nothing, and whether that is because nobody could be reached. */
export interface JudgeAnswer {
  text: string;
  model?: string;
  /** of a panel */
  judge?: string;
  usage?: Usage;
  /** it was there before the question */
  kept?: boolean;
  error?: string;
  unreachable?: boolean;
}

/** ProgramOutput is what a program has left behind, or why it had no regular end. */
export interface ProgramOutput {
  stdout: string;
  stderr: string;
  code: number;
  error?: string;
}

/** RunParams is what `run` takes. */
export interface RunParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
  /** what is graded; without one the file's own expected output, or what was measured */
  submission?: Submission;
  /** as the record names it; `self` for the file's own */
  target?: string;
  /** as the record names it; `offline`, which is asked here and now, by default */
  judge?: string;
  /** Answers are a judge's, by the keys of the questions; of a Replay the question that has none was never recorded. */
  answers?: Record<string, JudgeAnswer>;
  replay?: boolean;
  /** how often a judge is asked for each judgement; once by default */
  samples?: number;
  /** Printed is what graders have left behind that are WebAssembly, by their keys. */
  printed?: Record<string, ProgramOutput>;
  profile?: "spec" | "agentv" | "agentv-4" | "agentv-head";
  /** a test_config.json; without it what ADK measures without one */
  config?: string;
  /** an .evalset_result.json or an evalset; without it the evalset's own is measured */
  recorded?: string;
}

/** Item is the result of one item of a test explorer: a case, a metric or a criterion. */
export interface Item {
  /** the case's id, the grader's name, the criterion's id */
  path: string[];
  /** pass, borderline, fail or unknown */
  state: string;
  /** of a criterion 0–10, else 0–1; nil where the state is unknown */
  score?: number;
  message?: string;
}

/** Program is a grader to be run that is a WebAssembly module (a WASI command): its arguments, the module's file first, and its standard input. Key is what it leaves behind is given under. */
export interface Program {
  key: string;
  argv: string[];
  stdin: string;
}

/** RunResult is what a case has come to, with what it still needs: while questions or programs are open the record says of what waits for them that it is ungraded. Standing is the record's verdict, but unknown where something could not be judged. */
export interface RunResult {
  record: CaseRecord;
  /** pass, borderline, fail or unknown */
  standing: string;
  /** Items are the results of the criteria and metrics, and last that of the case. */
  items: Item[];
  questions: Question[];
  programs: Program[];
}

/** SchemaParams is what `schema` takes. */
export interface SchemaParams {
  name: string;
}

/** SchemaResult is the JSON Schema of a kind of file, draft-07. */
export interface SchemaResult {
  schema: unknown;
}

/** ScoreParams is what `score` takes. */
export interface ScoreParams {
  rubrics?: unknown;
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
  reply: unknown;
  profile?: "spec" | "agentv" | "agentv-4" | "agentv-head";
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

/** SelectionParams is what `selection` takes. */
export interface SelectionParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  positions: Position[];
}

/** SelectionRange is what a selection is, and what it grows to. */
export interface SelectionRange {
  range: Range;
  parent?: SelectionRange;
}

/** SemanticParams is what `semantic` takes. */
export interface SemanticParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  range?: Range;
}

/** SemanticTokens are the colours of a text, five numbers each, by the legend that `capabilities` gives. */
export interface SemanticTokens {
  data: number[];
}

/** SuiteParams is what `suite` takes. */
export interface SuiteParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  case?: string;
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

/** SymbolsParams is what `symbols` takes. */
export interface SymbolsParams {
  text?: string;
  /** of the text; tells its format */
  path?: string;
  /** instead of a text: one that is open */
  document?: string;
  range?: Range;
}

/** DocumentSymbol is an entry of a file's outline. */
export interface DocumentSymbol {
  name: string;
  detail?: string;
  kind: number;
  range: Range;
  selectionRange: Range;
  children?: DocumentSymbol[];
}

/** TapeParams is what `tape` takes. */
export interface TapeParams {
  text: string;
}

/** JudgeRecording is what a judge has answered, by the keys of the questions. */
export interface JudgeRecording {
  answers: Record<string, JudgeAnswer>;
  /** the name of whose they are, or the names of a panel, where all tell the same */
  judges?: string[];
}

/** VersionResult says which evaluator answers. */
export interface VersionResult {
  version: string;
  abi: number;
  dialects: string[];
  /** SchemasWanted says that a JSON Schema of a user's was named, and that this evaluator, which is not the larger one, does not apply it. */
  schemasWanted?: boolean;
}

/** Methods are the evaluator's, each with what it takes and gives. */
export interface Methods {
  /** what can be done in a stretch: fixes, refactorings, another version's names */
  actions: { params: ActionsParams; result: CodeAction[] };
  /** which open files an evalset or a result file is measured with */
  beside: { params: BesideParams; result: EvalsetFiles };
  /** what an editor has to know before it asks */
  capabilities: { params: Record<string, never>; result: Capabilities };
  /** a file's cases by their ids, and where each stands */
  cases: { params: CasesParams; result: CaseHead[] };
  /** what is wrong with a file */
  check: { params: CheckParams; result: CheckResult };
  /** what could stand at a place */
  complete: { params: CompleteParams; result: CompletionList };
  /** where a name is declared, in all that is open */
  definition: { params: DefinitionParams; result: Location[] };
  /** what is wrong, as an editor shows it */
  diagnose: { params: DiagnoseParams; result: Finding[] };
  /** criteria for a case without any, as edits */
  draft: { params: DraftParams; result: DraftResult };
  /** changes a document that is open */
  edit: { params: EditParams; result: Opened };
  /** the edits that a line break calls for */
  enter: { params: EnterParams; result: TextEdit[] };
  /** a rule's page */
  explain: { params: ExplainParams; result: RulePage };
  /** which other grades would change a case's verdict */
  flip: { params: FlipParams; result: FlipResult };
  /** what can be folded away */
  fold: { params: FoldParams; result: FoldingRange[] };
  /** lets a document go */
  forget: { params: ForgetParams; result: Closed };
  /** the edits that tidy lines */
  format: { params: FormatParams; result: TextEdit[] };
  /** what grades that somebody types are worth */
  grade: { params: GradeParams; result: GradeResult };
  /** which places belong to a place */
  highlight: { params: HighlightParams; result: DocumentHighlight[] };
  /** what stands at a place */
  hover: { params: HoverParams; result: Hover | null };
  /** what holds and is not written */
  inlay: { params: InlayParams; result: InlayHint[] };
  /** takes in the record of a case that was run elsewhere */
  keep: { params: KeepParams; result: StoredRecord };
  /** what a case came to when it was run last, and which of it still holds */
  last: { params: LastParams; result: LastResult | null };
  /** what can be run, above the text */
  lens: { params: LensParams; result: CodeLens[] };
  /** which places change together */
  linked: { params: LinkedParams; result: LinkedRanges | null };
  /** which texts lead to an address */
  links: { params: LinksParams; result: DocumentLink[] };
  /** what a case of an evalset comes to by verdicts that somebody types, and what would flip it */
  measure: { params: MeasureParams; result: MeasureResult };
  /** what a metric of ADK's says of a conversation */
  metric: { params: MetricParams; result: MetricResult };
  /** takes a text in, to be edited and asked about by its name */
  open: { params: OpenParams; result: Opened };
  /** what a judge is asked about a case, and the JSON Schema of its reply */
  prompt: { params: PromptParams; result: PromptResult };
  /** the kinds of servers that models are asked at */
  providers: { params: Record<string, never>; result: Provider[] };
  /** a target's recorded answers */
  recording: { params: RecordingParams; result: Submissions };
  /** where a name is written, in all that is open */
  references: { params: ReferencesParams; result: Location[] };
  /** the edits that give a name another spelling, in all that is open */
  rename: { params: RenameParams; result: WorkspaceEdit };
  /** which name a rename would change */
  renameable: { params: RenameableParams; result: Renameable };
  /** records as a page */
  report: { params: ReportParams; result: ReportResult };
  /** how a question is put to a model, without the key */
  request: { params: RequestParams; result: WireRequest };
  /** an item's documentation, an action's edit */
  resolve: { params: ResolveParams; result: Resolved };
  /** what a model's server has answered */
  response: { params: ResponseParams; result: WireResponse };
  /** all rules, with an example of each */
  rules: { params: Record<string, never>; result: Rule[] };
  /** what a case comes to, and what it needs for that from outside */
  run: { params: RunParams; result: RunResult };
  /** the JSON Schema of a kind of file */
  schema: { params: SchemaParams; result: SchemaResult };
  /** what a judge's reply is worth, and what is wrong with it */
  score: { params: ScoreParams; result: ScoreResult };
  /** what growing selections take in */
  selection: { params: SelectionParams; result: (SelectionRange | null)[] };
  /** a text's colours */
  semantic: { params: SemanticParams; result: SemanticTokens };
  /** a file, or one case of it, as it is graded, defaults filled in */
  suite: { params: SuiteParams; result: SuiteResult };
  /** a file's outline */
  symbols: { params: SymbolsParams; result: DocumentSymbol[] };
  /** a judge's recorded answers */
  tape: { params: TapeParams; result: JudgeRecording };
  /** which evaluator answers */
  version: { params: Record<string, never>; result: VersionResult };
}
