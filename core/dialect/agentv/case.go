package agentv

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entry reads one case and adds it to the suite, or to those that are skipped.
func (l *lowering) entry(n *yaml.Node) {
	if !n.IsMap() {
		l.add(CaseNotMap, rubric.Silent, n, "")
		return
	}
	c := NewCase(n, l.fallback)
	if outcome := firstText(n, "expected_outcome", "outcome"); outcome != nil {
		c.ExpectedOutcome, _ = outcome.Str()
		c.OutcomeSpan = outcome.Span
	}
	c.Input, c.Expected = l.input(n), l.expected(n)
	c.Question, c.ReferenceAnswer = Question(c.Input), Reference(n)
	if kind, ok := kindOf(n.Get("evaluator")); ok {
		c.Fallback = kind
	}
	refused := l.graders(c, n)
	switch missing := missing(c); {
	case len(missing) > 0:
		l.skipCase(c, CaseIncomplete, strings.Join(missing, ", "))
	case refused != "":
		l.skipCase(c, CaseBroken, refused)
	default:
		l.suite.Cases = append(l.suite.Cases, c)
	}
}

// missing names what a case has to have and has not.
func missing(c *rubric.Case) (names []string) {
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

func (l *lowering) skipCase(c *rubric.Case, kind, detail string) {
	l.suite.Skipped = append(l.suite.Skipped, c)
	l.list = append(l.list, rubric.Loss{Kind: kind, Level: rubric.Refuses, Span: c.Head, Detail: detail})
}

// firstText is the value of the first key that holds a string.
func firstText(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			if _, ok := v.Str(); ok {
				return v
			}
		}
	}
	return nil
}

// graders gives a case its graders: its inline rubric first, then the evaluators
// of the case, or else the suite's. What the loader refuses in one of them is
// refused with the whole case.
func (l *lowering) graders(c *rubric.Case, n *yaml.Node) (refused string) {
	inline, fatal := l.inline(n.Get("rubrics"))
	if inline != nil {
		c.Graders = append(c.Graders, inline)
	}
	own := n.Get("execution").Get("evaluators")
	if own == nil {
		own = n.Get("evaluators")
	}
	var named evaluators
	if own != nil {
		named = l.evaluators(own)
	} else {
		named = l.inherited()
	}
	c.Graders = append(c.Graders, named.graders...)
	if fatal {
		l.fatal(bands.MapStart)
		return bands.MapStart
	}
	return named.refused
}

// fatal marks the last loss of a kind as one that ends the whole file.
func (l *losses) fatal(kind string) {
	for i := len(l.list) - 1; i >= 0; i-- {
		if l.list[i].Kind == kind {
			l.list[i].Fatal = true
			return
		}
	}
}

// evaluators is a list of evaluators as read, and what in it is refused.
type evaluators struct {
	graders []*rubric.Grader
	refused string
}

func (l *losses) evaluators(list *yaml.Node) (e evaluators) {
	if !list.IsSeq() {
		if !list.IsNull() {
			l.add(EvaluatorsNotList, rubric.Warns, list, "")
		}
		return e
	}
	for _, item := range list.List() {
		g, refused := l.evaluator(item)
		if g != nil {
			e.graders = append(e.graders, g)
		}
		if e.refused == "" {
			e.refused = refused
		}
	}
	return e
}

// inherited are the suite's evaluators, read once for all its cases.
func (l *lowering) inherited() evaluators {
	if l.common == nil {
		e := evaluators{}
		if list := l.shared.Get("evaluators"); list != nil {
			e = l.evaluators(list)
		}
		l.common = &e
	}
	return *l.common
}

// NewCase is a case with what every version of the dialect says of it in the same
// way: its id, the conversation that it belongs to, and where it stands.
func NewCase(n *yaml.Node, fallback rubric.Kind) *rubric.Case {
	c := &rubric.Case{Fallback: fallback, Span: n.Span, Head: n.Span}
	if len(n.Pairs) > 0 {
		c.Head = n.Pairs[0].Key.Span
	}
	if id := n.Get("id"); id != nil {
		c.ID, _ = id.Str()
		c.IDSpan, c.Head = id.Span, loss.Shown(id)
	}
	c.ConversationID, _ = n.Get("conversation_id").Str()
	return c
}
