package metric

// Conversation is what an agent did, and what was expected of it.
type Conversation struct {
	Actual            []Invocation
	Expected          []Invocation // turn by turn; nil: there is no reference
	NoReferenceReason string       // why there is none; "": nothing more is known
	Scenario          *Scenario    // what its user was to do, if that was simulated
	PriorTurns        int          `json:"-"` // turns of earlier runs of the same case
}

// Invocation is one turn: what the user said, what the agent answered, and what
// it did in between. The last is Events, as a run records it, or the three lists
// ToolUses, ToolResponses and Said, as an author writes it down.
type Invocation struct {
	ID     string
	User   *Content
	Final  *Content // nil: there was no answer
	Events []Event  // in the order in which they happened

	ToolUses              []ToolCall
	ToolResponses         []ToolResponse
	IntermediateResponses []Event // answers on the way, without calls

	Rubrics []Rubric
	Agents  []Agent // who took part
}

// Content is what somebody said or did at once.
type Content struct {
	Role  string
	Parts []Part
}

// Part is a piece of a content: a text, a call or a response.
type Part struct {
	Text     string
	Call     *ToolCall
	Response *ToolResponse
}

// Event is one step of an agent on the way to its answer.
type Event struct {
	Author  string
	Content *Content
}

// ToolCall is a call that an agent made. Args that are missing are nil, which is
// not the same as none.
type ToolCall struct {
	ID   string         `json:"id,omitempty"`
	Name string         `json:"name,omitempty"`
	Args map[string]any `json:"args,omitzero"`
}

// ToolResponse is what a tool returned to the call with its id.
type ToolResponse struct {
	ID       string         `json:"id,omitempty"`
	Name     string         `json:"name,omitempty"`
	Response map[string]any `json:"response,omitzero"`
}

// Agent is an agent as its judge is told of it.
type Agent struct {
	Name         string
	Instructions string
	Tools        []any // declarations, as JSON has them
}

// Rubric is one property that a turn should have. Type says which metric a
// rubric of a case or a turn is for: [FinalResponseQuality] or [ToolUseQuality].
type Rubric struct {
	ID          string
	Text        string
	Description string
	Type        string
}

// Types of rubrics.
const (
	FinalResponseQuality = "FINAL_RESPONSE_QUALITY"
	ToolUseQuality       = "TOOL_USE_QUALITY"
)
