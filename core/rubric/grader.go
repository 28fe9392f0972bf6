package rubric

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// Kind is a way of grading.
type Kind string

const (
	LLMJudge         Kind = "llm_judge" // a rubric if it has Criteria, else a free-form judge
	CodeJudge        Kind = "code_judge"
	Composite        Kind = "composite"
	ToolTrajectory   Kind = "tool_trajectory"
	FieldAccuracy    Kind = "field_accuracy"
	Latency          Kind = "latency"
	Cost             Kind = "cost"
	TokenUsage       Kind = "token_usage"
	ExecutionMetrics Kind = "execution_metrics"

	// The following never occur in files. Metric holds an ADK metric's result for a whole
	// conversation. Turn holds what was found in one turn, and Transcript in a conversation as one
	// text; see [Conversation].
	Metric     Kind = "metric"
	Turn       Kind = "turn"
	Transcript Kind = "transcript"

	NoGrader Kind = "none" // as a case's Fallback: nothing grades it
)

// Grader is one way of grading that the file names, with its settings. Kind decides which
// fields apply.
type Grader struct {
	Name   string
	Kind   Kind
	Weight float64 // share of the case's score; default 1, never negative
	Inline bool    // comes from the case's own `rubrics:` or from plain texts in an assertion list
	// IsFallback means that it is not in the file: it grades a case without graders.
	IsFallback bool `json:"-"`
	Unread     bool `json:"-"` // the reference skips it, so that it grades nothing there

	Criteria     []*Criterion // llm_judge: the rubric
	Prompt       *Prompt      // llm_judge without criteria: its own prompt
	Samples      int          `json:",omitempty"` // llm_judge: minimum number of votes; 0 means the run's setting
	Judge        string       `json:",omitempty"` // llm_judge: the judge that the file names for it; "" means the run's
	Code         *Code        // code_judge
	Members      []*Grader    // composite
	Combine      *Aggregator  // composite
	Steps        *Trajectory  // tool_trajectory
	Fields       []Field      // field_accuracy
	AllOrNothing bool         // field_accuracy: all fields must match
	Limits       *Limits      // latency, cost, token_usage, execution_metrics

	// DialectData is private to the dialect. If it is a [grade.Dialect], it grades in place of Kind.
	DialectData any `json:",omitempty"`

	Preprocessors []Preprocessor `json:",omitempty"` // llm_judge: how files in the answer become text

	// Settings that only assertion lists have.
	Assert    *Assertion `json:",omitempty"` // nil in the oldest dialect
	Negate    bool       `json:",omitempty"` // invert the score and the verdict
	Required  bool       `json:",omitempty"` // gate: the case scores 0 below MinScore, or below the case's threshold if MinScore is nil
	MinScore  *float64   `json:",omitempty"` // score, 0–1, from which the grader passes
	Threshold *float64   `json:",omitempty"` // assert_set: mean, 0–1, that passes; nil: every member must pass

	Span          text.Span `json:"-"`
	SelectionSpan text.Span `json:"-"` // the short span that editors highlight: the name
	WeightSpan    text.Span `json:"-"` // the weight's value; empty if defaulted, like the next three

	RequiredSpan  text.Span `json:"-"`
	MinScoreSpan  text.Span `json:"-"`
	ThresholdSpan text.Span `json:"-"`
}

// Prompt is an LLM judge's own template. Path is as written. Text is the template; the host
// fills it in if the template is a file.
type Prompt struct {
	Text   string
	Path   string   // set if the template is a file
	Script []string // a program that writes the prompt
	Config map[string]any
	Span   text.Span `json:"-"`
}

// IsUnread reports whether the prompt is a file whose text the host has not filled in.
func (p *Prompt) IsUnread() bool {
	return p.Path != "" && (p.Text == "" || p.Text == "file://"+p.Path || p.Text == p.Path && LooksLikeFile(p.Path))
}

// LooksLikeFile reports whether a prompt looks like a path rather than a short text.
func LooksLikeFile(prompt string) bool {
	if prompt == "" || strings.ContainsAny(prompt, " \t\n{") {
		return false
	}
	for _, ending := range []string{".md", ".txt", ".yaml", ".yml", ".json", ".prompt", ".tmpl", ".jinja", ".j2"} {
		if strings.HasSuffix(prompt, ending) {
			return true
		}
	}
	return strings.Contains(prompt, "/")
}

// Code is a grading program. Argv is never a shell line: a string in the file becomes
// `sh -lc STRING`, as in the runner.
type Code struct {
	Argv     []string
	Dir      string
	Config   map[string]any // the keys that the runner does not know
	MaxCalls *int           // model calls it may make through a proxy; nil: none
}

// programExtensions are the extensions of script files.
var programExtensions = []string{".py", ".js", ".mjs", ".ts", ".sh", ".rb", ".pl", ".go", ".php", ".ps1"}

// IsProgram reports whether a command's argument is the path of a script.
func IsProgram(arg string) bool { return slices.Contains(programExtensions, path.Ext(arg)) }

// Aggregator combines the scores of a composite's members.
type Aggregator struct {
	Type    string             // weighted_average, code_judge, llm_judge or, in later dialects, threshold
	Weights map[string]float64 // weighted_average: by member name; default 1
	Path    string             // code_judge: the script
	Dir     string
	Prompt  string // llm_judge

	// Threshold is the share of members, 0–1, that must pass. It applies to type threshold.
	Threshold *float64 `json:",omitempty"`
}

// MemberWeight returns the weight of a member of g. A composite's aggregator sets the weights of
// its members; a set uses their own.
func (g *Grader) MemberWeight(member *Grader) float64 {
	if g.Combine == nil {
		return member.Weight
	}
	if w, ok := g.Combine.Weights[member.Name]; ok {
		return w
	}
	return 1
}

// Trajectory holds the expected tool calls.
type Trajectory struct {
	Mode     string     // any_order, in_order, exact, superset or subset
	Minimums []Minimum  // any_order, in file order
	Expected []ToolStep // all modes except any_order
	Untimed  bool       `json:",omitempty"` // the runner does not read the steps' time limits
}

// Minimum is the minimum number of calls of one tool.
type Minimum struct {
	Tool  string
	Count float64
}

// ToolStep is one expected call. Nil Args match any arguments.
type ToolStep struct {
	Tool          string
	Args          map[string]any
	ArgsMatch     ArgsMatch `json:",omitempty"`
	ArgsFields    []string  `json:",omitempty"` // dotted paths, for [ArgsListed]
	MaxDurationMS *float64
}

// ArgsMatch is the rule that compares a call's arguments with the expected ones.
type ArgsMatch string

const (
	ArgsSuperset ArgsMatch = "" // the call may have additional arguments
	ArgsExact    ArgsMatch = "exact"
	ArgsSubset   ArgsMatch = "subset" // the call has only expected arguments
	ArgsIgnore   ArgsMatch = "ignore"
	ArgsListed   ArgsMatch = "fields" // the listed arguments are equal
)

// Field is one value to compare between the answer and the reference answer.
type Field struct {
	Path      string
	Match     string // exact, numeric_tolerance or date
	Required  bool
	Weight    float64
	Tolerance float64
	Relative  bool
	Formats   []string
}

// Limits are upper bounds on a run's resource use; nil means unlimited. Durations are in
// milliseconds, money in US dollars.
type Limits struct {
	DurationMS       *float64
	CostUSD          *float64
	TotalTokens      *float64
	InputTokens      *float64
	OutputTokens     *float64
	ToolCalls        *float64
	LLMCalls         *float64
	ExplorationRatio *float64
	ExplorationSlack float64 // allowed distance from ExplorationRatio; default 0.2
}

// Kinds that only assertion lists have. Their graders' Assert is never nil.
const (
	Deterministic Kind = "deterministic" // checks the text of the answer; Assert says for what
	AssertSet     Kind = "assert_set"    // several graders that count as one; uses Members and Threshold
	TraceSteps    Kind = "trace_steps"   // checks the steps of the target's trace; Assert says which
	External      Kind = "external"      // needs a plugin, an interpreter, a service or a trace; Assert names it
)

// Assertion holds the settings of an entry in an assertion list, the later dialects' syntax
// for graders. Every grader from such a list has one.
type Assertion struct {
	// Type is the runner's name for the type: kebab case, with older names replaced. A plain
	// text has the type of a rubric.
	Type string
	// Value is the entry's `value` as JSON, or nil. It is a text to search for, a list of
	// texts for the -any and -all types, or any value for an LLM rubric without criteria.
	Value any
	// Inverse means that the check must fail.
	Inverse bool `json:",omitempty"`
	// Flags are a regular expression's flags, in JavaScript's notation.
	Flags string
	// Config holds the entry's keys that the runner does not know, and the entry's `config`.
	Config map[string]any

	TypeSpan  text.Span `json:"-"` // the value of `type`; for plain texts, the first text
	ValueSpan text.Span `json:"-"` // the value of `value`; empty if none is written
}

// Types of deterministic assertions. Value holds the text, or the texts, to compare with.
const (
	Contains     = "contains"
	ContainsAny  = "contains-any"
	ContainsAll  = "contains-all"
	IContains    = "icontains" // ignores letter case, like the next two
	IContainsAny = "icontains-any"
	IContainsAll = "icontains-all"
	StartsWith   = "starts-with"
	EndsWith     = "ends-with"
	Regex        = "regex"
	IsJSON       = "is-json" // without a value
	Equals       = "equals"  // ignores space at both ends
)

// Types of trace steps. A judge grades the first one; the others are about skills.
const (
	GoalSuccess  = "trajectory:goal-success"
	SkillUsed    = "skill-used"
	NotSkillUsed = "not-skill-used"
	SkillTrigger = "skill-trigger"
)

// Operators of a criterion. The empty operator means Correctness.
const (
	Correctness   = "correctness"   // satisfied if the answer states it
	Contradiction = "contradiction" // satisfied unless the answer contradicts it
)
