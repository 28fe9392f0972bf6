// Package seed reads AgentV's eval files in the format of early 2026, release 2.5.8, and has their field
// tables: `evalcases` with `expected_outcome` and `rubrics`, in YAML or JSONL. The later versions build
// on it.
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

// suiteLoader reads one eval file.
type suiteLoader struct {
	Loader
	suite     *rubric.Suite
	fallback  rubric.Kind    // grading for cases without graders
	execution *yaml.Node     // the suite's execution, whose evaluators cases inherit
	inherited *evaluatorList // those evaluators, once read
}

// Lower reads the first document of an eval file. agentv.Name, the file's base name without its
// extension, is the default name of the dataset. The suite is never nil. Everything that
// the reference loader skips is among its losses.
func Lower(tree *yaml.Tree, name string) *rubric.Suite {
	l, root := newSuiteLoader(name), tree.Root()
	if tree.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, root)
	}
	if !root.IsMap() {
		return l.failFile(agentv.RootNotMap, root)
	}
	l.readHeader(root)
	cases := root.Get(agentv.CasesKey)
	if !cases.IsSeq() {
		return l.failFile(agentv.CasesNotList, cmp.Or(cases, root))
	}
	return l.addCases(cases.List())
}

// LowerChunk reads a list of cases without the rest of the file. Header is the tree of the rest.
func LowerChunk(header, chunk *yaml.Tree, name string) *rubric.Suite {
	l := newSuiteLoader(name)
	if chunk.HasUnboundedAliases() || header.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, chunk.Root())
	}
	l.readHeader(header.Root())
	return l.addCases(chunk.Root().List())
}

// LowerJSONL reads a JSONL file with one case per line. The sidecar is the tree of the YAML file
// with the same base name; it may be nil.
func LowerJSONL(tree *yaml.Tree, name string, sidecar *yaml.Tree) *rubric.Suite {
	l := newSuiteLoader(name)
	if tree.HasUnboundedAliases() || sidecar != nil && sidecar.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, tree.Root())
	}
	if sidecar != nil && sidecar.Root().IsMap() {
		l.readHeader(sidecar.Root())
	}
	cases, lost := agentv.ReadLines(tree)
	l.Losses = append(l.Losses, lost...)
	return l.addCases(cases)
}

func newSuiteLoader(name string) *suiteLoader {
	return &suiteLoader{suite: &rubric.Suite{Dialect: agentv.Name, Name: name}, fallback: rubric.LLMJudge}
}

// failFile records a loss for which the loader rejects the file.
func (l *suiteLoader) failFile(kind string, n *yaml.Node) *rubric.Suite {
	l.AddLoss(kind, rubric.Refuses, n, "").Fatal = true
	return l.addCases(nil)
}

func (l *suiteLoader) addCases(cases []*yaml.Node) *rubric.Suite {
	for _, n := range cases {
		l.addCase(n)
	}
	l.suite.Losses = l.Losses
	return l.suite
}

// readHeader reads the settings that apply to all cases of a file.
func (l *suiteLoader) readHeader(root *yaml.Node) {
	l.suite.Description, _ = root.Get("description").Str()
	if dataset, ok := root.Get("dataset").Str(); ok && strings.TrimSpace(dataset) != "" {
		l.suite.Name = strings.TrimSpace(dataset)
	}
	l.execution = root.Get("execution")
	l.suite.Targets = agentv.ReadTargetNames(root)
	if n := root.Get("evaluator"); n != nil {
		if kind, ok := graderKind(n); ok {
			l.fallback = kind
		} else {
			l.AddLoss(agentv.FallbackUnknown, rubric.Warns, n, "")
		}
	}
}

// addCase reads one case and adds it to the suite's cases or skipped cases.
func (l *suiteLoader) addCase(n *yaml.Node) {
	if !n.IsMap() {
		l.AddLoss(agentv.CaseNotMap, rubric.Silent, n, "")
		return
	}
	c := NewCase(n, l.fallback)
	if outcome := agentv.FirstString(n, "expected_outcome", "outcome"); outcome != nil {
		c.ExpectedOutcome, _ = outcome.Str()
		c.OutcomeSpan = outcome.Span
	}
	c.Input, c.Expected = l.readInput(n), l.readExpected(n)
	c.Question, c.ReferenceAnswer = rubric.ConversationText(c.Input), ReferenceAnswer(n)
	if kind, ok := graderKind(n.Get("evaluator")); ok {
		c.Fallback = kind
	}
	refused := l.readGraders(c, n)
	switch missing := missingKeys(c); {
	case len(missing) > 0:
		l.skipCase(c, agentv.CaseIncomplete, strings.Join(missing, ", "))
	case refused != "":
		l.skipCase(c, agentv.CaseBroken, refused)
	default:
		l.suite.Cases = append(l.suite.Cases, c)
	}
}

// missingKeys returns the required keys that the case lacks.
func missingKeys(c *rubric.Case) (names []string) {
	if c.ID == "" {
		names = append(names, "id")
	}
	if c.ExpectedOutcome == "" {
		names = append(names, "expected_outcome")
	}
	if len(c.Input) == 0 {
		names = append(names, "input")
	}
	return names
}

func (l *suiteLoader) skipCase(c *rubric.Case, kind, detail string) {
	l.suite.Skipped = append(l.suite.Skipped, c)
	l.Losses = append(l.Losses, rubric.Loss{Kind: kind, Level: rubric.Refuses, Span: c.SelectionSpan, Detail: detail})
}

// readGraders sets the case's graders: its inline rubric first, then its own evaluators or
// else the suite's. If the loader refuses one of them, it refuses the whole case.
func (l *suiteLoader) readGraders(c *rubric.Case, n *yaml.Node) (refused string) {
	inline, fatal := l.readInlineRubric(n.Get("rubrics"))
	if inline != nil {
		c.Graders = append(c.Graders, inline)
	}
	var named evaluatorList
	if own := cmp.Or(n.Get("execution").Get("evaluators"), n.Get("evaluators")); own != nil {
		named = l.readEvaluators(own)
	} else {
		named = l.inheritedEvaluators()
	}
	c.Graders = append(c.Graders, named.graders...)
	if fatal {
		l.markFatal(bands.MapStart)
		return bands.MapStart
	}
	return named.refused
}

// markFatal marks the last loss of a kind as fatal for the whole file.
func (l *Loader) markFatal(kind string) {
	for i := len(l.Losses) - 1; i >= 0; i-- {
		if l.Losses[i].Kind == kind {
			l.Losses[i].Fatal = true
			return
		}
	}
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
		if e.refused == "" {
			e.refused = refused
		}
	}
	return e
}

// inheritedEvaluators returns the suite's evaluators. It reads them once for all cases.
func (l *suiteLoader) inheritedEvaluators() evaluatorList {
	if l.inherited == nil {
		e := evaluatorList{}
		if list := l.execution.Get("evaluators"); list != nil {
			e = l.readEvaluators(list)
		}
		l.inherited = &e
	}
	return *l.inherited
}

// NewCase returns a case with the parts that every version writes alike: id, conversation id
// and spans.
func NewCase(n *yaml.Node, fallback rubric.Kind) *rubric.Case {
	c := &rubric.Case{Fallback: fallback, Span: n.Span, SelectionSpan: n.Span}
	c.Target, _ = n.Get("execution").Get("target").Str()
	if len(n.Pairs) > 0 {
		c.SelectionSpan = n.Pairs[0].Key.Span
	}
	if id := n.Get("id"); id != nil {
		c.ID, _ = id.Str()
		c.IDSpan, c.SelectionSpan = id.Span, agentv.SpanOf(id)
	}
	c.ConversationID, _ = n.Get("conversation_id").Str()
	return c
}
