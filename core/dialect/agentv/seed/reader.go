// Package seed reads the cases of AgentV's eval files in the format of early 2026, release 2.5.8, and has
// their field tables: `evalcases` with `expected_outcome` and `rubrics`, in YAML or JSONL. The later
// versions build on it. Package v4 reads the files of all versions.
package seed

import (
	"cmp"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Loader reads graders as the reference's loader does and collects the losses.
type Loader struct {
	At     *text.Span // the span of all that is read, such as that of an `include`; nil: its own
	Losses []rubric.Loss
	stable bool // read the settings as release 4 does
}

// SpanOf returns the span that n is shown at.
func (l *Loader) SpanOf(n *yaml.Node) text.Span {
	if l.At != nil {
		return *l.At
	}
	return agentv.SpanOf(n)
}

// AddLoss records a loss. The returned pointer is valid until the next call.
func (l *Loader) AddLoss(kind string, level rubric.Level, n *yaml.Node, detail string) *rubric.Loss {
	l.Losses = append(l.Losses, rubric.Loss{Kind: kind, Level: level, Span: l.SpanOf(n), Detail: detail})
	return &l.Losses[len(l.Losses)-1]
}

// Skip records that a grader or a criterion is left out. It returns false for the caller to return.
func (l *Loader) Skip(kind string, n *yaml.Node, detail string) (keep bool) {
	l.AddLoss(kind, rubric.Warns, n, detail)
	return false
}

// Files are the kinds of files of Seed and those that all versions share, the eval file first.
var Files = []agentv.File{
	{Role: agentv.Eval, Name: "agentv", Title: "AgentV eval file", Type: EvalFile},
	{Role: agentv.Cases, Name: "agentv-cases", Title: "AgentV case, a line of a JSONL file", Type: CaseType},
	{Role: agentv.Sidecar, Name: "agentv-sidecar", Title: "AgentV sidecar of a JSONL file", Type: SidecarFile},
	{Role: agentv.Targets, Name: "agentv-targets", Title: "AgentV targets", Type: agentv.TargetsFile},
	{Role: agentv.Labels, Name: "agentv-labels", Title: "Labels: people's grades for an AgentV eval file", Type: agentv.LabelsFile},
	{Role: agentv.Config, Name: "agentv-config", Title: "AgentV configuration", Type: agentv.ConfigFile},
}

// Header has the settings that apply to all cases of a file.
type Header struct {
	fallback  rubric.Kind    // grading for cases without graders
	execution *yaml.Node     // whose evaluators cases inherit
	inherited *evaluatorList // those evaluators, read once for all cases
}

// ReadHeader reads the settings in root, which may be nil, and the name and the targets of the suite.
func (l *Loader) ReadHeader(suite *rubric.Suite, root *yaml.Node) *Header {
	if dataset, ok := root.Get("dataset").Str(); ok && strings.TrimSpace(dataset) != "" {
		suite.Name = strings.TrimSpace(dataset)
	}
	suite.Targets = agentv.ReadTargetNames(root)
	h := &Header{fallback: rubric.LLMJudge, execution: root.Get("execution")}
	if n := root.Get("evaluator"); n != nil {
		if kind, ok := graderKind(n); ok {
			h.fallback = kind
		} else {
			l.AddLoss(agentv.FallbackUnknown, rubric.Warns, n, "")
		}
	}
	return h
}

// ReadCase reads one case. Missing are the required keys that it lacks. A non-empty refused is the kind
// of loss for which the loader rejects it.
func (l *Loader) ReadCase(h *Header, n *yaml.Node) (c *rubric.Case, missing []string, refused string) {
	c = NewCase(n, h.fallback)
	if outcome := agentv.FirstString(n, "expected_outcome", "outcome"); outcome != nil {
		c.ExpectedOutcome, c.OutcomeSpan = outcome.Text(), outcome.Span
	}
	l.readConversation(c, n)
	c.Question, c.ReferenceAnswer = rubric.ConversationText(c.Input), ReferenceAnswer(n)
	if own := n.Get("evaluator"); own != nil {
		if kind, ok := graderKind(own); ok {
			c.Fallback = kind
		}
	}
	if c.ID == "" {
		missing = append(missing, "id")
	}
	if c.ExpectedOutcome == "" {
		missing = append(missing, "expected_outcome")
	}
	if len(c.Input) == 0 {
		missing = append(missing, "input")
	}
	return c, missing, l.readGraders(c, h, n)
}

// readGraders sets the case's graders: its inline rubric first, then its own evaluators or
// else the suite's. If the loader refuses one of them, it refuses the whole case.
func (l *Loader) readGraders(c *rubric.Case, h *Header, n *yaml.Node) (refused string) {
	inline, fatal := l.readInlineRubric(n.Get("rubrics"))
	if inline != nil {
		c.Graders = append(c.Graders, inline)
	}
	var named evaluatorList
	if own := cmp.Or(n.Get("execution").Get("evaluators"), n.Get("evaluators")); own != nil {
		named = l.readEvaluators(own)
	} else if inherited := h.execution.Get("evaluators"); inherited != nil {
		if h.inherited == nil {
			h.inherited = new(l.readEvaluators(inherited))
		}
		named = *h.inherited
	}
	c.Graders = append(c.Graders, named.graders...)
	if fatal {
		return bands.MapStart
	}
	return named.refused
}

// evaluatorList holds the evaluators of a list and the first kind of refused loss in it.
type evaluatorList struct {
	graders []*rubric.Grader
	refused string
}

func (l *Loader) readEvaluators(list *yaml.Node) (e evaluatorList) {
	if !list.IsSeq() {
		if !list.IsNull() {
			l.AddLoss(agentv.EvaluatorsNotList, rubric.Warns, list, "")
		}
		return e
	}
	for _, item := range list.List() {
		g, refused := l.readEvaluator(item)
		if g != nil {
			e.graders = append(e.graders, g)
		}
		e.refused = cmp.Or(e.refused, refused)
	}
	return e
}

// NewCase returns a case with the parts that every version writes alike: id, conversation id
// and spans.
func NewCase(n *yaml.Node, fallback rubric.Kind) *rubric.Case {
	c := &rubric.Case{
		ID: n.Get("id").Text(), ConversationID: n.Get("conversation_id").Text(), Target: n.Get("execution").Get("target").Text(),
		Fallback: fallback, Span: n.Span, SelectionSpan: n.Span,
	}
	if len(n.Pairs) > 0 {
		c.SelectionSpan = n.Pairs[0].Key.Span
	}
	if id := n.Get("id"); id != nil {
		c.IDSpan, c.SelectionSpan = id.Span, agentv.SpanOf(id)
	}
	return c
}
