package newer

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// start is a case with what stands in the test itself.
func (l *lowering) start(n *yaml.Node) *rubric.Case {
	c := agentv.NewCase(n, rubric.LLMJudge)
	if goal := goalOf(n); goal != nil {
		c.ExpectedOutcome, _ = goal.Str()
		c.OutcomeSpan = goal.Span
	}
	l.own(c)
	c.Threshold = l.threshold(n)
	if l.other != nil {
		l.other.put(c)
	}
	return c
}

// goalOf is what a good answer does, under its newest name or the one before.
func goalOf(n *yaml.Node) *yaml.Node {
	for _, key := range []string{"criteria", "expected_outcome"} {
		if text, _ := n.Get(key).Str(); text != "" {
			return n.Get(key)
		}
	}
	return nil
}

// stableTest reads a test that says itself what is asked.
func (l *lowering) stableTest(n *yaml.Node) {
	c := l.start(n)
	without, _ := n.Get("execution").Get("skip_defaults").Bool()
	if !without {
		l.ask(c, l.root.Get("input"), l.root.Get("input").Any())
	}
	l.ask(c, n.Get("input"), n.Get("input").Any())
	c.Question = agentv.Question(c.Input)
	c.Expected, c.ReferenceAnswer = agentv.Answer(n.Get("expected_output")), agentv.Reference(n)
	read := l.assertions()
	got := read.Case(n, l.root)
	if rubrics := n.Get("rubrics"); rubrics.IsSeq() {
		inline := read.Inline(rubrics)
		got.Graders = append(inline.Graders, got.Graders...)
		got.Losses = append(inline.Losses, got.Losses...)
		if inline.Refused != "" {
			got.Refused = inline.Refused
		}
	}
	l.suite.Losses = append(l.suite.Losses, got.Losses...)
	c.Graders = got.Graders
	l.keep(c, n, got.Refused)
}

// ask adds to what is asked.
func (l *lowering) ask(c *rubric.Case, at *yaml.Node, value any) {
	asked, ok := messages(value)
	if !ok {
		l.lose(agentv.MessageInvalid, rubric.Silent, at, "")
	}
	c.Input = append(c.Input, asked...)
}

// headTest reads a test that fills the suite's prompts: a case for each prompt
// and each choice of its variables.
func (l *lowering) headTest(n *yaml.Node) {
	graders, refused := l.headGraders(n)
	own := n.Get("vars")
	names := order(l.root.Get("default_test").Get("vars"), own)
	for _, p := range l.asked {
		for _, vars := range combinations(l.variables(n), names) {
			c := l.start(n)
			if len(l.asked) > 1 && c.ID != "" {
				c.ID += p.suffix()
			}
			l.ask(c, l.root.Get("prompts"), fill(fill(p.input, vars), vars))
			c.Question = agentv.Question(c.Input)
			l.expect(c, own, vars)
			fillString(&c.ID, vars)
			fillString(&c.ExpectedOutcome, vars)
			c.Graders = filled(graders, vars)
			l.keep(c, n, refused)
		}
	}
	if len(l.asked) == 0 {
		c := l.start(n)
		c.Graders = graders
		l.keep(c, n, refused)
	}
}

// headGraders are a test's graders. What a good answer does is its only one when
// neither test nor suite names any.
func (l *lowering) headGraders(n *yaml.Node) (graders []*rubric.Grader, refused string) {
	read := l.assertions()
	got := read.Case(n, l.root)
	if goal := goalOf(n); goal != nil && !l.names(n) {
		got = read.Text(goal)
	} else if goal != nil && n.Get("assert") != nil {
		l.lose(CriteriaBeside, rubric.Warns, goal, "")
	}
	l.suite.Losses = append(l.suite.Losses, got.Losses...)
	return got.Graders, got.Refused
}

// listKeys are what lists of graders are under, in a test and in a suite.
var listKeys = []string{"assert", "assertions", "evaluators", "rubrics"}

// names reports whether a test or its suite names graders, whether or not any
// of them can be read.
func (l *lowering) names(n *yaml.Node) bool {
	holders := []*yaml.Node{n}
	if without, _ := n.Get("execution").Get("skip_defaults").Bool(); !without {
		holders = append(holders, l.root, l.root.Get("default_test"))
	}
	keys := listKeys
	if l.Version == agentv.Head {
		keys = keys[:1]
	}
	for _, holder := range holders {
		for _, key := range keys {
			if holder.Get(key) != nil {
				return true
			}
		}
	}
	return false
}

// expect reads the reference answer, which is a variable.
func (l *lowering) expect(c *rubric.Case, own *yaml.Node, vars map[string]any) {
	holder := own
	if holder.Get("expected_output") == nil {
		holder = l.root.Get("default_test").Get("vars")
	}
	c.Expected = agentv.Answer(holder.Get("expected_output"))
	for i := range c.Expected {
		c.Expected[i].Content = fill(c.Expected[i].Content, vars)
	}
	c.ReferenceAnswer = agentv.Reference(holder)
	fillString(&c.ReferenceAnswer, vars)
}

// keep adds a case to the suite, or to those that the loader skips.
func (l *lowering) keep(c *rubric.Case, n *yaml.Node, refused string) {
	turns := n.Get("turns").List()
	var missing []string
	if c.ID == "" {
		missing = append(missing, "id")
	}
	if l.alone && len(missing) == 0 && len(c.Input) == 0 {
		l.suite.Skipped = append(l.suite.Skipped, c) // what is asked is in a suite
		return
	}
	if len(c.Input) == 0 && !l.alone {
		missing = append(missing, "input")
	}
	if !l.alone && c.ExpectedOutcome == "" && len(c.Expected)+len(c.Graders)+len(turns) == 0 && !l.names(n) {
		missing = append(missing, "criteria")
	}
	kind, detail := agentv.CaseIncomplete, strings.Join(missing, ", ")
	if len(missing) == 0 {
		kind, detail = agentv.CaseBroken, refused
	}
	if detail == "" {
		l.suite.Cases = append(l.suite.Cases, c)
		if !l.alone && len(c.Graders)+len(turns) == 0 && (l.Version == agentv.Head || l.names(n)) {
			l.nothing(c)
		}
		return
	}
	l.suite.Skipped = append(l.suite.Skipped, c)
	l.suite.Losses = append(l.suite.Losses, rubric.Loss{Kind: kind, Level: rubric.Refuses, Span: c.Head, Detail: detail})
}

// threshold is the score from which a case passes: a test's own, how it is run,
// or the suite's. What is no share is passed over.
func (l *lowering) threshold(n *yaml.Node) *float64 {
	holders := []*yaml.Node{n.Get("run"), n.Get("execution"), n, l.root.Get("default_test"), l.root}
	if l.Version == agentv.Stable {
		holders = []*yaml.Node{n.Get("execution"), l.root.Get("execution")}
	}
	for _, holder := range holders {
		if share, ok := holder.Get("threshold").Number(); ok && share >= 0 && share <= 1 {
			return &share
		}
	}
	return nil
}

// nothing remembers that nothing grades a case, which is not skipped for that.
func (l *lowering) nothing(c *rubric.Case) {
	worth := "its score is 0, whatever the answer"
	if l.Version == agentv.Head {
		worth = "its score is 1, whatever the answer"
	}
	l.suite.Losses = append(l.suite.Losses, rubric.Loss{Kind: AssertsNothing, Level: rubric.Refuses, Span: c.Head, Detail: worth})
}
