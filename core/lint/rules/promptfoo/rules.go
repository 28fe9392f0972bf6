// Package promptfoo has the rules about configurations of promptfoo: assertions that cannot fail, settings that
// it ignores, variables that no test has, and values that it changes.
package promptfoo

import (
	"embed"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

//go:embed *.md
var pages embed.FS

// register registers a rule about the files of promptfoo.
func register(id string, severity, highest diag.Severity, run func(*lint.Pass)) {
	lint.Register(pages, lint.Rule{ID: id, Severity: severity, Highest: highest, Run: func(p *lint.Pass) {
		if dialect.ForRole(agentv.Role(p.Role)) != nil {
			run(p)
		}
	}})
}

// An entry is an assertion of the file.
type entry struct {
	*yaml.Node
	kind  string // its type
	inSet bool
	typ   *assertion.Type
}

// base is the type without `not-`.
func (e entry) base() string { return strings.TrimPrefix(e.kind, "not-") }

// eachEntry returns a check of all assertions that the file has.
func eachEntry(visit func(p *lint.Pass, e entry)) func(*lint.Pass) {
	return func(p *lint.Pass) {
		p.EachNode(func(n *yaml.Node) {
			list := n.Parent
			kind, ok := n.Get("type").Str()
			if !ok || n.Kind != yaml.Mapping || list == nil || list.Kind != yaml.Sequence || list.Key == nil || list.Key.Key.Value != "assert" {
				return
			}
			visit(p, entry{n, kind, strings.HasSuffix(list.Parent.Get("type").Text(), "assert-set"), assertion.TypeOf(kind)})
		})
	}
}

func init() {
	register("never-fails", diag.Warning, diag.Error, eachEntry(neverFails))
	register("negation-ignored", diag.Error, 0, eachEntry(negationIgnored))
	register("threshold-ignored", diag.Warning, 0, eachEntry(thresholdIgnored))
	register("never-graded", diag.Error, 0, eachEntry(neverGraded))
	register("invalid-pattern", diag.Error, 0, eachEntry(invalidPattern))
	register("older-type", diag.Hint, 0, eachEntry(olderType))
	register("judge-not-pinned", diag.Hint, 0, judgeNotPinned)
	register("verdict-fixed", diag.Warning, diag.Error, verdictFixed)
	register("changed-value", diag.Warning, 0, changedValue)
	register("undefined-variable", diag.Error, 0, undefinedVariable)
	register("derived-metric", diag.Error, 0, derivedMetric)
	register("not-graded-here", diag.Info, 0, notGradedHere)
	register("promptfoo-loss", diag.Warning, diag.Error, losses)
}

func neverFails(p *lint.Pass, e entry) {
	always := e.typ.Has(assertion.NeverFails)
	if !e.Get("threshold").IsNull() || !always && e.base() != "llm-rubric" {
		return
	}
	d := p.Report(e.Get("type").Span, "without a `threshold` the judge's score is never used, and a reply like `{}` passes")
	if always {
		d.Severity, d.Message = diag.Error, "`"+e.kind+"` without a `threshold` passes with every score"
	}
	d.Fixes = fix.AddEntry(p.Source, "add a threshold of 0.5", e.Node, "threshold", "0.5")
}

func negationIgnored(p *lint.Pass, e entry) {
	if e.base() != e.kind && e.typ.Has(assertion.IgnoresNot) {
		d := p.Report(e.Get("type").Span, "the runner ignores `not-` here; the verdict is that of `%s`", e.base())
		d.Fixes = fix.ChangeTo(e.Get("type"), e.base())
	}
}

func thresholdIgnored(p *lint.Pass, e entry) {
	threshold, value := e.Get("threshold"), e.Get("value")
	if !threshold.IsNull() && e.typ.Name != "" && !e.typ.Has(assertion.ReadsThreshold) {
		d := p.Report(threshold.Span, "`%s` ignores its `threshold`", e.kind)
		d.Fixes = fix.RemoveEntry(p.Source, threshold, "remove `threshold`")
	}
	if !value.IsNull() && (e.base() == "cost" || e.base() == "latency") {
		d := p.Report(value.Key.Key.Span, "`%s` ignores its `value`; `threshold` is the limit", e.kind)
		if threshold == nil {
			d.Fixes = fix.RenameKey(value.Parent, value.Key.Key.Span, "threshold", true)
		} else {
			d.Fixes = fix.RemoveEntry(p.Source, value, "remove `value`")
		}
	}
}

func neverGraded(p *lint.Pass, e entry) {
	switch {
	case e.inSet && e.base() == "assert-set":
		p.Report(e.Get("type").Span, "a set within a set is an error in each row; move its members to the outer one")
	case e.inSet && (e.kind == "select-best" || e.kind == "max-score"):
		p.Report(e.Get("type").Span, "`%s` never runs within a set; move it out", e.kind)
	case e.base() == "human":
		p.Report(e.Get("type").Span, "nothing grades `human`; each row is an error")
	case e.typ.Group == assertion.Text:
		if value, isText := e.Get("value").Str(); isText && value == "" {
			p.Report(e.Get("value").Span, "nothing grades an empty `value`; each row is an error")
		}
	}
}

var literalPattern = pattern.New(`^/(.+)/[a-z]*$`)

func invalidPattern(p *lint.Pass, e entry) {
	n := e.Get("value")
	text, ok := n.Str()
	if e.base() != "regex" || !ok || strings.Contains(text, "{{") || strings.HasPrefix(text, "file://") {
		return
	}
	if m := literalPattern().FindStringSubmatch(text); m != nil {
		d := p.Report(n.Span, "the slashes are part of the pattern, and flags cannot be given")
		d.Fixes = fix.ChangeTo(n, m[1]) // a guess, since an answer may have a path
	} else if _, err := ecmascript.Compile(text, ""); err != nil {
		p.Report(n.Span, "`%s` fails whatever the answer is: %s", e.kind, err)
	}
}

func olderType(p *lint.Pass, e entry) {
	newer := map[string]string{"model-graded-factuality": "factuality", "is-valid-openai-function-call": "is-valid-function-call"}[e.base()]
	if newer != "" {
		newer = strings.Replace(e.kind, e.base(), newer, 1)
		p.Report(e.Get("type").Span, "`%s` is the older name of `%s`", e.kind, newer).Fixes = fix.ChangeTo(e.Get("type"), newer)
	}
}

// judgeNotPinned reports the first assertion with a judge that depends on the machine.
func judgeNotPinned(p *lint.Pass) {
	p.EachDistinctGrader(func(g *rubric.Grader) {
		if a, ok := g.DialectData.(*assertion.Assertion); ok && a.LacksJudge() && !g.Assert.TypeSpan.Empty() {
			p.AddFact(lint.Fact{IsFirst: true}, g.Assert.TypeSpan, "no judge is named, so that the keys of each machine decide; set `defaultTest.options.provider`")
		}
	})
}

func changedValue(p *lint.Pass) {
	p.EachNode(func(n *yaml.Node) {
		isMixed, expands := promptfoo.IsMixed(n)
		switch {
		case n.Key == nil || n.Key.Value != n || n.Parent.Key == nil || n.Parent.Key.Key.Value != "vars":
		case promptfoo.IsDate(n):
			p.Report(n.Span, "the runner reads a date that is not quoted as `[object Object]`").Fixes = fix.Quote(p.Source, n.Span)
		case promptfoo.LosesDigits(n):
			p.Report(n.Span, "the runner reads this as a number, and prints it otherwise than it is written").Fixes = fix.Quote(p.Source, n.Span)
		case isMixed:
			is := map[bool]string{true: "does, with values that are no texts", false: "stays one value"}[expands]
			p.Report(n.Span, "only a list that begins with a text stands for several tests; this one %s", is)
		}
	})
}

// verdictFixed reports tests and sets whose verdict no answer can change.
func verdictFixed(p *lint.Pass) {
	p.EachNode(func(n *yaml.Node) {
		list := n.Get("assert")
		if threshold, isNumber := n.Get("threshold").Number(); isNumber && list != nil && threshold <= 0 {
			d := p.Report(n.Get("threshold").Span, "a threshold of %v passes whatever the answer is", threshold)
			d.Fixes = fix.RemoveEntry(p.Source, n.Get("threshold"), "remove `threshold`")
		} else if isNumber && threshold > 1 && list.IsSeq() && !slices.ContainsFunc(list.List(), hasOpenScore) {
			p.Report(n.Get("threshold").Span, "no mean of these assertions is above 1: this always fails").Severity = diag.Error
		}
		if kind := n.Get("type").Text(); strings.HasSuffix(kind, "assert-set") && list.IsSeq() && len(list.List()) == 0 {
			p.Report(list.Span, "an empty set passes, and counts as a score of 0")
		}
		if kind, value := n.Get("type").Text(), n.Get("value"); strings.Contains(kind, "contains-a") && value.IsSeq() {
			if len(value.List()) == 0 {
				p.Report(value.Span, "this list is empty: no answer changes the verdict")
			}
			for _, item := range value.List() {
				if text, isText := item.Str(); isText && text == "" {
					p.Report(item.Span, "this text is empty, and every answer contains it")
				}
			}
		}
	})
	for _, c := range p.Suite.Cases {
		n := p.NodeAt(c.Span)
		isWeighed := func(g *rubric.Grader) bool { return g.Weight != 0 }
		switch {
		case n == nil || c.SourceFile != "" || n.Get("assertScoringFunction") != nil:
		case len(c.Graders) == 0 && n.IsMap():
			p.Report(c.SelectionSpan, "this test has no assertion: the runner passes it with every answer").Severity = diag.Hint
		case len(c.Graders) > 0 && !slices.ContainsFunc(c.Graders, isWeighed):
			p.Report(c.SelectionSpan, "every assertion of this test has weight 0: it passes with every answer")
		}
	}
}

// hasOpenScore reports whether an assertion may score above 1.
func hasOpenScore(n *yaml.Node) bool {
	open := []string{"javascript", "python", "ruby", "webhook", "llm-rubric", "assert-set", "similar:dot"}
	return slices.Contains(open, strings.TrimPrefix(n.Get("type").Text(), "not-"))
}

func undefinedVariable(p *lint.Pass) {
	reported := map[[2]any]bool{}
	for _, c := range p.Suite.Cases {
		promptfoo.MissingVariables(c, func(name string, in *rubric.Grader) {
			span, message := c.SelectionSpan, "the prompt needs the variable `%s`, which this test does not have; it is empty"
			if in != nil {
				span, message = in.Assert.ValueSpan, "no variable is called `%s`; it is empty"
			}
			if key := [2]any{span, name}; !span.Empty() && !reported[key] {
				reported[key] = true
				p.Report(span, message, name)
			}
		})
	}
}

var metricName = pattern.New(`^[A-Za-z_]\w*$`)

func derivedMetric(p *lint.Pass) {
	known, open := map[string]float64{"__count": 1}, false
	eachEntry(func(_ *lint.Pass, e entry) {
		metric := e.Get("metric").Text()
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
		name := item.Get("name").Text()
		formula, isText := item.Get("value").Str()
		if _, err := assertion.Evaluate(formula, known); err != nil && isText && !open {
			if errors.Is(err, assertion.ErrNotComputed) {
				p.Report(item.Get("value").Span, "%s", err).Severity = diag.Info
				continue
			}
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
	reportProviders(p)
	p.EachMismatch(conform.NotSupported, func(m conform.Mismatch) {
		p.Report(m.Span, "`%s` is not supported by `rubric run`: %s", m.Key, m.Field.Unsupported)
	})
	p.EachDistinctGrader(func(g *rubric.Grader) {
		if why := grade.Unsupported(g); why != "" && assertion.TypeOf(g.Assert.Type).Name != "" && !g.SelectionSpan.Empty() {
			p.AddFact(lint.Fact{Key: why, IsFirst: true}, g.SelectionSpan, "this cannot be graded: %s", why)
		}
	})
}

// reportProviders reports providers of a configuration and its tests that stop a run.
func reportProviders(p *lint.Pass) {
	root := p.Tree.Root()
	_, entries := promptfoo.Providers(root)
	entries = append([]*yaml.Node{root.Get("defaultTest").Get("provider")}, entries...)
	for _, c := range p.Suite.Cases {
		if entry := p.NodeAt(c.Span).Get("provider"); entry != entries[len(entries)-1] { // a test has several cases
			entries = append(entries, entry)
		}
	}
	for _, entry := range entries {
		id, at := promptfoo.ProviderID(entry)
		name := assertion.ProviderName(id)
		if at != nil && !run.NamesTarget(name) && !strings.Contains(id, "{{") && !slices.Contains(p.Targets, name) {
			p.Report(at.FirstKeySpan(), "`rubric run` does not ask the provider `%s`; define a target with this name in `targets.yaml`, or choose another with `--target`", lint.Abbreviate(id))
		}
	}
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
		case loss.Kind == promptfoo.VarsScheme.Kind:
			d.Fixes = fix.Replace(n, scalar.FormatLike(n, strings.TrimPrefix(loss.Detail, "file://")), "remove `file://`")
		case loss.Kind == promptfoo.DefaultTestScheme.Kind:
			d.Fixes = fix.Replace(n, scalar.FormatLike(n, "file://"+loss.Detail), "add `file://`")
		}
	}
}
