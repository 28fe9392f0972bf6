package rubric

import "github.com/rubric-ls/rubric/core/text"

// Kind is a way of grading.
type Kind string

const (
	LLMJudge         Kind = "llm_judge" // with Criteria a rubric, without a free-form judge
	CodeJudge        Kind = "code_judge"
	Composite        Kind = "composite"
	ToolTrajectory   Kind = "tool_trajectory"
	FieldAccuracy    Kind = "field_accuracy"
	Latency          Kind = "latency"
	Cost             Kind = "cost"
	TokenUsage       Kind = "token_usage"
	ExecutionMetrics Kind = "execution_metrics"

	// Metric and Turn are no graders that a file could name: what a metric says
	// of a whole conversation, and of one turn of it.
	Metric Kind = "metric"
	Turn   Kind = "turn"
)

// Grader is one way of grading named in the file, with its settings. Which
// fields count is said by Kind.
type Grader struct {
	Name   string
	Kind   Kind
	Weight float64 // share in the case's score; 1 by default, never negative
	Inline bool    // made from the case's own `rubrics:`, or from the plain texts of an assertion list

	Criteria     []*Criterion // llm_judge: a rubric
	Prompt       *Prompt      // llm_judge without criteria: its own prompt
	Samples      int          `json:",omitempty"` // llm_judge: how often a judge is asked at least, for a vote; 0: as the run says
	Code         *Code        // code_judge
	Members      []*Grader    // composite
	Combine      *Aggregator  // composite
	Steps        *Trajectory  // tool_trajectory
	Fields       []Field      // field_accuracy
	AllOrNothing bool         // field_accuracy: every field or nothing
	Limits       *Limits      // latency, cost, token_usage, execution_metrics

	// What the newer dialects' assertion lists add.
	Assert    *Assertion `json:",omitempty"` // nil for the graders of the oldest dialect
	Negate    bool       `json:",omitempty"` // the score is 1 minus what is found, and pass and fail change places
	Required  bool       `json:",omitempty"` // a gate: below MinScore, or else the case's threshold, the case scores 0
	MinScore  *float64   `json:",omitempty"` // the score, 0–1, from which this grader passes
	Threshold *float64   `json:",omitempty"` // assert_set: the mean, 0–1, that passes; nil: every member has to

	Span          text.Span `json:"-"`
	SelectionSpan text.Span `json:"-"` // the short span by which it is shown: its name
	WeightSpan    text.Span `json:"-"` // of the weight's value; empty when defaulted, as are the next three

	RequiredSpan  text.Span `json:"-"`
	MinScoreSpan  text.Span `json:"-"`
	ThresholdSpan text.Span `json:"-"`
}

// Prompt is an LLM judge's own template. Path is as written; Text is what it
// holds, filled in by the host for a file.
type Prompt struct {
	Text   string
	Path   string   // set when the template is a file
	Script []string // a program that writes the prompt
	Config map[string]any
	Span   text.Span `json:"-"`
}

// Code is a program that grades: argv, never a shell line (a string in the file
// becomes `sh -lc STRING`, as the runner does).
type Code struct {
	Argv     []string
	Dir      string
	Config   map[string]any // every key the runner does not know
	MaxCalls *int           // model calls it may make through a proxy; nil: none
}

// Aggregator combines a composite's members.
type Aggregator struct {
	Type    string             // weighted_average, code_judge or llm_judge; threshold in the newer dialects
	Weights map[string]float64 // weighted_average: by member name, 1 where missing
	Path    string             // code_judge: the script
	Dir     string
	Prompt  string // llm_judge

	// Threshold is the share of members, 0–1, that have to pass; type threshold.
	Threshold *float64 `json:",omitempty"`
}

// Trajectory is the tool calls that are expected.
type Trajectory struct {
	Mode     string     // any_order, in_order, exact, superset or subset
	Minimums []Minimum  // any_order, in the file's order
	Expected []ToolStep // in all modes but any_order
}

// Minimum is how often one tool has to be called at least.
type Minimum struct {
	Tool  string
	Count float64
}

// ToolStep is one expected call. Args nil means any arguments.
type ToolStep struct {
	Tool          string
	Args          map[string]any
	ArgsMatch     ArgsMatch `json:",omitempty"`
	ArgsFields    []string  `json:",omitempty"` // of [ArgsListed]: dotted paths
	MaxDurationMS *float64
}

// ArgsMatch is how the arguments of a call are compared with the expected ones.
type ArgsMatch string

const (
	ArgsSuperset ArgsMatch = "" // the call has the expected ones, and may have others
	ArgsExact    ArgsMatch = "exact"
	ArgsSubset   ArgsMatch = "subset" // the call has none but expected ones
	ArgsIgnore   ArgsMatch = "ignore"
	ArgsListed   ArgsMatch = "fields" // those that are listed are equal
)

// Field is one value to compare between the answer and the reference.
type Field struct {
	Path      string
	Match     string // exact, numeric_tolerance or date
	Required  bool
	Weight    float64
	Tolerance float64
	Relative  bool
	Formats   []string
}

// Limits are upper bounds on what a run may use; nil means not limited.
// Durations are milliseconds, money US dollars.
type Limits struct {
	DurationMS       *float64
	CostUSD          *float64
	TotalTokens      *float64
	InputTokens      *float64
	OutputTokens     *float64
	ToolCalls        *float64
	LLMCalls         *float64
	ExplorationRatio *float64
	ExplorationSlack float64 // allowed distance from ExplorationRatio; 0.2 by default
}
