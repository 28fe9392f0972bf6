package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Names of the metrics.
const (
	ToolTrajectory     = "tool_trajectory_avg_score"
	ResponseMatch      = "response_match_score"
	FinalResponseMatch = "final_response_match_v2"
	ResponseQuality    = "rubric_based_final_response_quality_v1"
	ToolQuality        = "rubric_based_tool_use_quality_v1"
	TrajectoryQuality  = "rubric_based_multi_turn_trajectory_quality_v1"
	Hallucinations     = "hallucinations_v1"
	Safety             = "safety_v1"

	// UserSimulator judges the user that ADK simulated, not the agent.
	UserSimulator = "per_turn_user_simulator_quality_v1"
	// ToolParameters is proposed for ADK; no release up to 2.11 has it.
	ToolParameters = "tool_parameter_match"
)

// Names are the metrics that [Evaluate] knows, in the order of the sources, with the proposed one
// last.
var Names = []string{ToolTrajectory, ResponseMatch, FinalResponseMatch, ResponseQuality, ToolQuality, TrajectoryQuality, Hallucinations, Safety, UserSimulator, ToolParameters}

// CloudNames are the metrics that ADK leaves to a cloud service, and that [Evaluate] does not know.
var CloudNames = []string{"response_evaluation_score", "multi_turn_task_success_v1", "multi_turn_trajectory_quality_v1", "multi_turn_tool_use_quality_v1"}

// UnmeasuredReason explains why [Evaluate] does not measure a metric; "" if it does.
func UnmeasuredReason(name string) string {
	switch {
	case slices.Contains(Names, name):
		return ""
	case slices.Contains(CloudNames, name):
		return "a cloud service of Google measures it, which is not asked here"
	}
	return fmt.Sprintf("there is no metric `%s` here, and custom ones in Python do not run", name)
}

// Criterion is a metric with its settings. A metric ignores fields that it does not use.
type Criterion struct {
	Metric    string
	Threshold float64 // lowest score that passes; ADK has no bounds for it

	Match      Match // how tool calls match
	IgnoreArgs bool  // compare tool calls by name only; since ADK 2.9
	Tolerance  Tolerance

	Rubrics []Rubric // of any type
	Judge   JudgeOptions

	// WithIntermediate judges intermediate answers together with the final one.
	WithIntermediate bool
	// EachIntermediate checks each intermediate answer for hallucinations too.
	EachIntermediate bool

	StopSignal string // of a simulated user; "" means [DefaultStopSignal]
}

// Tolerance is what a comparison of tool calls forgives. These options are ours; ADK ignores them.
type Tolerance struct {
	IgnoredArgs   []string `json:"ignored_args,omitempty"`     // arguments that are not compared
	Wildcard      string   `json:"wildcard,omitempty"`         // an expected text that any value matches; "" if there is none
	Number        float64  `json:"number_tolerance,omitempty"` // the largest difference between equal numbers
	PartialCredit bool     `json:"partial_credit,omitempty"`   // a turn with some of the expected calls scores their share instead of 0
}

// JudgeOptions configure the judge.
type JudgeOptions struct {
	Model    string `json:"judge_model,omitempty"`       // as named in the file; the host chooses the judge
	Samples  int    `json:"num_samples,omitempty"`       // how often one question is asked, for a vote; less than 1 means [DefaultSamples]
	Parallel int    `json:"parallelism_limit,omitempty"` // most questions at once; less than 1 means 1
}

// DefaultSamples is how often a judge is asked one question.
const DefaultSamples = 5

// SampleCount returns how often one question is asked.
func (o JudgeOptions) SampleCount() int {
	if o.Samples < 1 {
		return DefaultSamples
	}
	return o.Samples
}

// Profile is the version of ADK whose rules apply.
type Profile string

const (
	// Latest is ADK 2.11.
	Latest Profile = "latest"
	// V2 is ADK 2.0: ASCII words, rubrics matched by text alone, replies paired by position,
	// conversations of different lengths cut to the shorter, and no comparison of calls by name.
	V2 Profile = "2.0"
)

// Profiles are all profiles, the default one first.
var Profiles = []Profile{Latest, V2}

// Match is a way of comparing tool calls with the expected ones.
type Match int

const (
	Exact    Match = iota // the same calls and no others
	InOrder               // the expected calls in order, with others between
	AnyOrder              // the expected calls in any order
)

var matchNames = []string{"EXACT", "IN_ORDER", "ANY_ORDER"}

// String returns the name as written in files.
func (m Match) String() string { return matchNames[m] }

// ParseMatch reads a match type as ADK does: its number, a boolean as 0 or 1, or its name in any case with spaces or
// hyphens for the underscore.
func ParseMatch(value any) (Match, error) {
	switch v := value.(type) {
	case bool:
		if !v {
			return Exact, nil
		}
		return InOrder, nil
	case float64:
		if v == math.Trunc(v) && v >= 0 && v < float64(len(matchNames)) {
			return Match(v), nil
		}
	case string:
		name := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToUpper(strings.TrimSpace(v)))
		if i := slices.Index(matchNames, name); i >= 0 {
			return Match(i), nil
		}
	}
	return 0, fmt.Errorf("`%v` is not a match type; use `EXACT`, `IN_ORDER` and `ANY_ORDER`", value)
}

// JudgeCalls describes how often a metric asks a judge; "" if it does not. With a moderation
// endpoint, safety asks that instead.
func (c Criterion) JudgeCalls() string {
	switch c.Metric {
	case FinalResponseMatch, ResponseQuality, ToolQuality:
		return questionCount(c.Judge.SampleCount()) + " for each turn"
	case TrajectoryQuality:
		return questionCount(c.Judge.SampleCount()) + " for the conversation"
	case Safety:
		return questionCount(max(1, c.Judge.Samples)) + " for each turn"
	case UserSimulator:
		return questionCount(c.Judge.SampleCount()) + " for each turn but the first, and as many for the end"
	case Hallucinations:
		if c.EachIntermediate {
			return "2 questions for each text, those on the way to the answer too"
		}
		return "2 questions for each answer"
	}
	return ""
}

func questionCount(n int) string {
	if n == 1 {
		return "1 question"
	}
	return fmt.Sprintf("%d questions", n)
}

// JudgeNames returns the judges that criteria name, each once; see [JudgeOptions.Name]. It ignores
// criteria that ask no judge. The name of a criterion that names no judge is "".
func JudgeNames(criteria []Criterion) (names []string) {
	for _, c := range criteria {
		if name := c.Judge.Name(); c.JudgeCalls() != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Name returns the judge as PROVIDER:MODEL where ADK's name of the model says who provides it: a
// model of Google or Anthropic by its name, and all others as PROVIDER/MODEL.
func (o JudgeOptions) Name() string {
	provider, name, cut := strings.Cut(o.Model, "/")
	switch {
	case strings.HasPrefix(o.Model, "gemini-"):
		return "gemini:" + o.Model
	case strings.HasPrefix(o.Model, "claude-"):
		return "anthropic:" + o.Model
	case cut && slices.Contains([]string{"openai", "anthropic", "gemini", "openrouter", "azure", "ollama"}, provider):
		return provider + ":" + name
	}
	return o.Model
}
