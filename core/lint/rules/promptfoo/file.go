package promptfoo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

// verdictFixed reports tests and sets whose verdict no answer can change.
func verdictFixed(p *lint.Pass) {
	reported := map[*yaml.Node]bool{}
	p.EachNode(func(n *yaml.Node) {
		list := n.Get("assert")
		if threshold, isNumber := n.Get("threshold").Number(); isNumber && list != nil && threshold <= 0 {
			d := p.Report(n.Get("threshold").Span, "a threshold of %v passes whatever the answer is", threshold)
			d.Fixes = fix.RemoveEntry(p.Source, n.Get("threshold"), "remove `threshold`")
		} else if isNumber && threshold > 1 && list.IsSeq() && !slices.ContainsFunc(list.List(), hasOpenScore) {
			p.Report(n.Get("threshold").Span, "no mean of these assertions is above 1: this always fails").Severity = diag.Error
		}
		if kind, _ := n.Get("type").Str(); strings.HasSuffix(kind, "assert-set") && list.IsSeq() && len(list.List()) == 0 {
			p.Report(list.Span, "an empty set passes, and counts as a score of 0")
		}
	})
	for _, c := range p.Suite.Cases {
		n := p.NodeAt(c.Span)
		isWeighed := func(g *rubric.Grader) bool { return g.Weight != 0 }
		switch {
		case n == nil || reported[n] || c.SourceFile != "" || n.Get("assertScoringFunction") != nil:
			continue
		case len(c.Graders) == 0 && n.IsMap():
			p.Report(c.SelectionSpan, "this test has no assertion: it passes with every answer").Severity = diag.Hint
		case len(c.Graders) > 0 && !slices.ContainsFunc(c.Graders, isWeighed):
			p.Report(c.SelectionSpan, "every assertion of this test has weight 0: it passes with every answer")
		}
		reported[n] = true
	}
}

// hasOpenScore reports whether an assertion may score above 1.
func hasOpenScore(n *yaml.Node) bool {
	kind, _ := n.Get("type").Str()
	return slices.Contains([]string{"javascript", "python", "ruby", "webhook", "llm-rubric", "assert-set", "similar:dot"}, strings.TrimPrefix(kind, "not-"))
}

func undefinedVariable(p *lint.Pass) {
	reported := map[string]bool{}
	for _, c := range p.Suite.Cases {
		for _, missing := range promptfoo.MissingVariables(c) {
			span := c.SelectionSpan
			if missing.In != nil {
				span = missing.In.Assert.ValueSpan
			}
			key := fmt.Sprint(span, missing.Name)
			if span.Empty() || reported[key] {
				continue
			}
			if reported[key] = true; missing.In == nil {
				p.Report(span, "the prompt needs the variable `%s`, which this test does not have; it is empty", missing.Name)
			} else {
				p.Report(span, "no variable is called `%s`; it is empty, and every answer contains that", missing.Name)
			}
		}
	}
}

var metricName = pattern.New(`^[A-Za-z_]\w*$`)

func derivedMetric(p *lint.Pass) {
	known, open := map[string]float64{"__count": 1}, false
	eachEntry(func(_ *lint.Pass, e entry) {
		metric, _ := e.Get("metric").Str()
		open = open || strings.Contains(metric, "{{") || e.base() == "javascript" || e.base() == "python"
		known[metric] = 1
	})(p)
	for _, tests := range []string{"tests", "defaultTest", "scenarios"} { // assertions of other files have metrics, too
		yaml.Walk(p.Tree.Root().Get(tests), func(n *yaml.Node) bool {
			text, isText := n.Str()
			open = open || isText && (tests == "tests" && n.Parent == p.Tree.Root() || strings.HasPrefix(text, "file://") || n.Parent.Key != nil && n.Parent.Key.Key.Value == "tests")
			return !open
		})
	}
	for _, item := range p.Tree.Root().Get("derivedMetrics").List() {
		name, _ := item.Get("name").Str()
		formula, isText := item.Get("value").Str()
		if _, err := assertion.Evaluate(formula, known); err != nil && isText && !open {
			d := p.Report(item.Get("value").Span, "this metric is 0: %s", err)
			if near := spell.Nearest(formula, slices.Collect(maps.Keys(known))); near != "" {
				d.Fixes = fix.ChangeTo(item.Get("value"), near)
			}
		}
		if !metricName().MatchString(name) && name != "" {
			p.Report(item.Get("name").Span, "no other formula can name `%s`; use letters, digits and `_`", name).Severity = diag.Hint
		}
		known[name] = 1
	}
}

// notGradedHere reports what promptfoo does and rubric does not.
func notGradedHere(p *lint.Pass) {
	p.EachMismatch(conform.NotSupported, func(m conform.Mismatch) {
		p.Report(m.Span, "`%s` is not supported by `rubric run`: %s", m.Key, m.Field.Unsupported)
	})
	p.EachDistinctGrader(func(g *rubric.Grader) {
		isKnown := assertion.TypeOf(g.Assert.Type).Name != "" || strings.HasPrefix(g.Assert.Type, promptfoo.RedteamPrefix)
		if why := grade.Unsupported(g); why != "" && isKnown && !g.SelectionSpan.Empty() {
			p.AddFact(lint.Fact{Key: why, IsFirst: true}, g.SelectionSpan, "this cannot be graded: %s", why)
		}
	})
}

func losses(p *lint.Pass) {
	for _, loss := range p.Suite.Losses {
		message := promptfoo.LossMessage(loss)
		if message == "" {
			continue
		}
		d := p.Report(loss.Span, "%s", message)
		switch n := p.NodeAt(loss.Span); {
		case loss.IsCostly():
			d.Severity = diag.Error
		case loss.Kind == promptfoo.VarsScheme:
			d.Fixes = fix.Replace(n, strings.TrimPrefix(loss.Detail, "file://"), "remove `file://`")
		case loss.Kind == promptfoo.DefaultTestScheme:
			d.Fixes = fix.Replace(n, "file://"+loss.Detail, "add `file://`")
		}
	}
}
