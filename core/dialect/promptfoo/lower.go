package promptfoo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Lower returns the suite of a file: a case for each test with one value for each variable and one prompt.
// Its targets are the providers.
func Lower(r dialect.Reader, t *yaml.Tree, role agentv.Role) *rubric.Suite {
	return read(r, t, role).lower()
}

// divide implements [dialect.Other.Divide]. Scenarios, derived metrics and references need the whole file.
func divide(r dialect.Reader, path string, header *yaml.Tree, key string) dialect.LowerPart {
	root := header.Root()
	if key != "tests" || agentv.HasAnyKey(root, "scenarios", "derivedMetrics") || has(root, isReference) {
		return nil
	}
	whole := read(r, header, Config)
	return func(part *yaml.Tree, index int) (*rubric.Suite, bool) {
		l := *whole
		l.suite, l.firstTest = &rubric.Suite{Dialect: Name, Version: Version, Name: r.Name}, index
		l.tests = l.loadTests(part.Root(), element{})
		l.checkTests(l.tests...)
		isOne := isConfig(path, root, part.Root().List()) || hasModeline(header)
		return l.lower(), isOne && !has(part.Root(), isReference)
	}
}

func (l *loader) lower() *rubric.Suite {
	seen := map[string]bool{}
	for _, row := range l.rows() {
		if row.err != nil && l.Own && !l.ownFilters {
			l.lose(templateInvalid, row.Prompt.node, row.err.Error())
		}
		if tag := plainTag().FindString(row.Prompt.text); tag != "" && l.Own && !nunjucks.IsTemplate(row.Prompt.text) && strings.Contains(row.Text, tag) {
			l.lose(templateOpen, row.Prompt.node, tag)
		}
		if !seen[row.id] {
			seen[row.id] = true
			l.suite.Cases = append(l.suite.Cases, l.lowerRow(row))
		}
	}
	return l.suite
}

// read reads a configuration, or tests as a configuration would ask them.
func read(r dialect.Reader, t *yaml.Tree, role agentv.Role) *loader {
	l := &loader{Reader: r, suite: &rubric.Suite{Dialect: Name, Version: Version, Name: r.Name}, repeat: 1}
	switch {
	case t.HasUnboundedAliases():
	case role == Tests:
		l.providers = []provider{{id: "echo", label: "echo"}}
		l.prompts = []Prompt{{Label: anyPrompt.Label, text: anyPrompt.text, unread: true}}
		for _, n := range nodesIn(t) {
			if n.IsMap() {
				l.tests = append(l.tests, l.loadTest(element{node: n, at: n}))
			}
		}
	default:
		resolveReferences(t)
		l.ownFilters = t.Root().Get("nunjucksFilters") != nil
		l.load(t.Root())
		l.suite.Description = agentv.TextOf(t.Root(), "description")
		for _, item := range t.Root().Get("derivedMetrics").List() {
			l.suite.Derived = append(l.suite.Derived, rubric.DerivedMetric{Name: agentv.TextOf(item, "name"), Formula: agentv.TextOf(item, "value")})
		}
		for _, p := range l.providers {
			if name := assertion.ProviderName(p.id); !slices.Contains(l.suite.Targets, name) { // others differ in settings, which are not read
				l.suite.Targets = append(l.suite.Targets, name)
			}
		}
	}
	return l
}

// valuesText returns the first words of a test's own values, in the order of their names.
func (l *loader) valuesText(row Row) string {
	var values []string
	shared := mapping(l.defaults.fields["vars"])
	for _, name := range slices.Sorted(maps.Keys(row.vars)) {
		if _, isShared := shared[name]; !isShared {
			values = append(values, javascript.Text(row.vars[name]))
		}
	}
	return excerpt.Shorten(strings.Join(values, ", "), 60)
}

func (l *loader) lowerRow(row Row) *rubric.Case {
	c := &rubric.Case{ID: row.id, Question: row.Text, Input: assertion.Messages(row.Text), Fallback: rubric.NoGrader, SourceFile: row.file, DialectData: &row}
	if c.Input == nil {
		c.Input = []rubric.Message{{Role: "user", Content: row.Text}}
	}
	c.ExpectedOutcome, _ = row.fields["description"].(string)
	c.Title = cmp.Or(c.ExpectedOutcome, l.valuesText(row))
	c.Span, c.SelectionSpan = row.at.Span, row.at.FirstKeySpan()
	if d := row.at.Get("description"); d != nil && row.file == "" {
		c.SelectionSpan, c.OutcomeSpan = d.Span, d.Span
	}
	if output := row.fields["providerOutput"]; output != nil {
		c.Answer = new(javascript.Encode(output))
	}
	if selected := l.selectedProviders(row.test); len(selected) == 1 && len(l.providers) > 1 {
		c.Target = assertion.ProviderName(selected[0].id)
	}
	threshold, hasThreshold := row.fields["threshold"].(float64)
	c.Threshold = &threshold
	shared := &assertion.Row{
		Vars: row.filled, Prompt: row.Text, Options: mapping(row.fields["options"]), Thresholds: hasThreshold,
		Tools: row.provider.config["tools"], Functions: row.provider.config["functions"],
	}
	for _, e := range row.asserts {
		g := assertion.Lower(l.withFile(e.fields), shared)
		place(g, e.node, row.at)
		c.Graders = append(c.Graders, g)
	}
	if row.err != nil {
		c.Unreadable = "the prompt cannot be filled in: " + row.err.Error()
	}
	return c
}

// withFile returns the fields of an assertion with the content of the file that is its value.
func (l *loader) withFile(fields map[string]any) map[string]any {
	switch end, body, found := l.readReference(fields["value"]); {
	case !found:
	case end == ".json", end == ".yaml", end == ".yml":
		return javascript.Assign(fields, map[string]any{"value": toValue(parseYAML(body).Root())})
	case end == ".txt", end == ".md":
		return javascript.Assign(fields, map[string]any{"value": body})
	}
	return fields
}

// place sets where a grader is in the file: at its node or, if another file has that, where the test is shown.
func place(g *rubric.Grader, n, at *yaml.Node) {
	if n == nil {
		g.Span, g.SelectionSpan = at.Span, at.Span
		return
	}
	spanOf := func(key string) (span text.Span) {
		if v := n.Get(key); v != nil && !v.Span.Empty() {
			span = v.Span
		}
		return span
	}
	g.Span, g.SelectionSpan = n.Span, cmp.Or(spanOf("type"), n.Span)
	g.WeightSpan, g.ThresholdSpan = spanOf("weight"), spanOf("threshold")
	g.Assert.TypeSpan, g.Assert.ValueSpan = spanOf("type"), spanOf("value")
	if criterion, isText := n.Get("value").Str(); isText && slices.Contains([]string{"llm-rubric", "g-eval", "model-graded-closedqa"}, g.Assert.Type) {
		filled, _ := g.Assert.Value.(string)
		g.Criteria = []*rubric.Criterion{{
			ID: rubric.AutoID(1), AutoID: true, Text: cmp.Or(filled, criterion), Weight: 1, Span: n.Span, TextSpan: n.Get("value").Span,
		}}
	}
	members := n.Get("assert").List()
	for i, m := range g.Members {
		if i < len(members) {
			place(m, members[i], at)
		}
	}
}

// MissingVariables reports the variables that a test does not have, although the value of an assertion needs them or,
// if in is nil, the prompt.
func MissingVariables(c *rubric.Case, report func(name string, in *rubric.Grader)) {
	row, ok := c.DialectData.(*Row)
	if !ok || row.file != "" || mapping(row.fields["options"])["transformVars"] != nil {
		return
	}
	check := func(source any, in *rubric.Grader) {
		text, _ := source.(string)
		_, names := parseTemplate(text, row.filled)
		for _, name := range names {
			if name != "env" && name != "_conversation" {
				report(name, in)
			}
		}
	}
	if len(row.vars) > 0 && !row.Prompt.unread {
		check(row.Prompt.text, nil)
	}
	for _, g := range c.Graders {
		written := g.DialectData.(*assertion.Assertion).Fields["value"]
		check(written, g)
		list, _ := written.([]any)
		for _, item := range list {
			check(item, g)
		}
	}
}
