package agentv

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// addCase reads one case and adds it to the suite, or to those that are skipped.
func (l *suiteLoader) addCase(n *yaml.Node) {
	if !n.IsMap() {
		l.addLoss(CaseNotMap, rubric.Silent, n, "")
		return
	}
	c := NewCase(n, l.fallback)
	if outcome := firstString(n, "expected_outcome", "outcome"); outcome != nil {
		c.ExpectedOutcome, _ = outcome.Str()
		c.OutcomeSpan = outcome.Span
	}
	c.Input, c.Expected = l.readInput(n), l.readExpected(n)
	c.Question, c.ReferenceAnswer = QuestionText(c.Input), ReferenceAnswer(n)
	if kind, ok := graderKind(n.Get("evaluator")); ok {
		c.Fallback = kind
	}
	refused := l.readGraders(c, n)
	switch missing := missingKeys(c); {
	case len(missing) > 0:
		l.skipCase(c, CaseIncomplete, strings.Join(missing, ", "))
	case refused != "":
		l.skipCase(c, CaseBroken, refused)
	default:
		l.suite.Cases = append(l.suite.Cases, c)
	}
}

// missingKeys names what a case has to have and has not.
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
	l.losses = append(l.losses, rubric.Loss{Kind: kind, Level: rubric.Refuses, Span: c.SelectionSpan, Detail: detail})
}

// firstString is the value of the first key that holds a string.
func firstString(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			if _, ok := v.Str(); ok {
				return v
			}
		}
	}
	return nil
}

// readGraders gives a case its graders: its inline rubric first, then the evaluators
// of the case, or else the suite's. What the loader refuses in one of them is
// refused with the whole case.
func (l *suiteLoader) readGraders(c *rubric.Case, n *yaml.Node) (refused string) {
	inline, fatal := l.readInlineRubric(n.Get("rubrics"))
	if inline != nil {
		c.Graders = append(c.Graders, inline)
	}
	own := n.Get("execution").Get("evaluators")
	if own == nil {
		own = n.Get("evaluators")
	}
	var named evaluatorList
	if own != nil {
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

// markFatal marks the last loss of a kind as one that ends the whole file.
func (l *loader) markFatal(kind string) {
	for i := len(l.losses) - 1; i >= 0; i-- {
		if l.losses[i].Kind == kind {
			l.losses[i].Fatal = true
			return
		}
	}
}

// evaluatorList is a list of evaluators as read, and what in it is refused.
type evaluatorList struct {
	graders []*rubric.Grader
	refused string
}

func (l *loader) readEvaluators(list *yaml.Node) (e evaluatorList) {
	if !list.IsSeq() {
		if !list.IsNull() {
			l.addLoss(EvaluatorsNotList, rubric.Warns, list, "")
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

// inheritedEvaluators are the suite's evaluators, read once for all its cases.
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

// NewCase is a case with what every version of the dialect says of it in the same
// way: its id, the conversation that it belongs to, and where it stands.
func NewCase(n *yaml.Node, fallback rubric.Kind) *rubric.Case {
	c := &rubric.Case{Fallback: fallback, Span: n.Span, SelectionSpan: n.Span}
	if len(n.Pairs) > 0 {
		c.SelectionSpan = n.Pairs[0].Key.Span
	}
	if id := n.Get("id"); id != nil {
		c.ID, _ = id.Str()
		c.IDSpan, c.SelectionSpan = id.Span, loss.SpanOf(id)
	}
	c.ConversationID, _ = n.Get("conversation_id").Str()
	return c
}
