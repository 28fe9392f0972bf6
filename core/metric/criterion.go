package metric

// Names of the metrics.
const (
	ToolTrajectory     = "tool_trajectory_avg_score"
	ResponseMatch      = "response_match_score"
	FinalResponseMatch = "final_response_match_v2"
	ResponseQuality    = "rubric_based_final_response_quality_v1"
	ToolQuality        = "rubric_based_tool_use_quality_v1"
	Hallucinations     = "hallucinations_v1"
	Safety             = "safety_v1"

	// UserSimulator is about the user that ADK simulated, not the agent.
	UserSimulator = "per_turn_user_simulator_quality_v1"
	// ToolParameters is proposed for ADK, and in no release of it up to 2.11.
	ToolParameters = "tool_parameter_match"
)

// Names are the metrics that [Evaluate] knows, in the order of the sources, and the
// proposed one last.
var Names = []string{ToolTrajectory, ResponseMatch, FinalResponseMatch, ResponseQuality, ToolQuality, Hallucinations, Safety, UserSimulator, ToolParameters}

// Criterion is a metric and what is asked of it. Fields that a metric has no use
// for are ignored.
type Criterion struct {
	Metric    string
	Threshold float64 // the lowest score that passes; ADK knows no bounds for it

	Match      Match // of tool calls
	IgnoreArgs bool  // compare tool calls by name only; since ADK 2.9

	Rubrics []Rubric // of whatever type
	Judge   JudgeOptions

	// WithIntermediate judges the answers on the way to the final one with it.
	WithIntermediate bool
	// EachIntermediate looks for hallucinations in them too, one at a time.
	EachIntermediate bool

	StopSignal string // of a simulated user; "" means [DefaultStopSignal]
}

// JudgeOptions are how a judge is asked.
type JudgeOptions struct {
	Model    string // whom the file names; who is asked is the host's decision
	Samples  int    // how often, for a vote; less than 1 means [DefaultSamples]
	Parallel int    // how many questions at once at most; less than 1 means 1
}

// DefaultSamples is how often a judge is asked one thing.
const DefaultSamples = 5

// SampleCount is how often one thing is asked.
func (o JudgeOptions) SampleCount() int {
	if o.Samples < 1 {
		return DefaultSamples
	}
	return o.Samples
}
