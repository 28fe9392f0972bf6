package promptfoo

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Lower returns the suite of a file: a case for each test with one value for each variable and one prompt.
// Its targets are the providers.
func (r Reader) Lower(t *yaml.Tree, role agentv.Role) *rubric.Suite {
	l := &loader{Reader: r, suite: &rubric.Suite{Dialect: Name, Version: Version, Name: r.Name}}
	if t.HasUnboundedAliases() {
		return l.suite
	}
	if role == Tests { // which a configuration would ask
		l.providers, l.prompts, l.repeat = []Provider{{ID: "echo"}}, []Prompt{{Label: "{{prompt}}", Text: "{{prompt}}", Unread: true}}, 1
		l.defaults.fields = map[string]any{}
		for _, doc := range t.Docs {
			for _, n := range testsIn(&yaml.Tree{Source: t.Source, Docs: []*yaml.Document{doc}}, "") {
				if n.IsMap() {
					l.tests = append(l.tests, l.loadTest(n, n, ""))
				}
			}
		}
	} else {
		resolveReferences(t)
		l.ownFilters = t.Root().Get("nunjucksFilters") != nil
		l.load(t.Root())
		l.suite.Description, _ = t.Root().Get("description").Str()
		for _, p := range l.providers {
			if name := assertion.ProviderName(p.ID); !slices.Contains(l.suite.Targets, name) { // others differ in settings, which are not read
				l.suite.Targets = append(l.suite.Targets, name)
			}
		}
	}
	seen := map[string]bool{}
	for _, row := range l.rows() {
		if id := l.caseID(row); !seen[id] {
			seen[id] = true
			l.suite.Cases = append(l.suite.Cases, l.lowerRow(row, id))
		}
	}
	return l.suite
}

// Rows returns the rows of a configuration, and why promptfoo refuses it, if it does.
func (r Reader) Rows(t *yaml.Tree) (rows []Row, losses []rubric.Loss) {
	l := &loader{Reader: r, suite: &rubric.Suite{}}
	resolveReferences(t)
	l.load(t.Root())
	return l.rows(), l.suite.Losses
}

// caseID is the number of the test, of its values if it has several, and of the prompt if there are several.
// A file's own tests have a pattern for all of these.
func (l *loader) caseID(row Row) string {
	id := fmt.Sprintf("test-%d", row.number)
	severalPrompts := len(l.prompts) > 1
	switch {
	case l.Own && (row.several || severalPrompts):
		return id + "[.:]*"
	case row.several:
		id += fmt.Sprintf(".%d", row.combination+1)
	}
	if severalPrompts {
		id += fmt.Sprintf(":%d", row.prompt+1)
	}
	return id
}

func (l *loader) lowerRow(row Row, id string) *rubric.Case {
	c := &rubric.Case{ID: id, Question: row.Text, Fallback: rubric.NoGrader, SourceFile: row.test.file}
	c.ExpectedOutcome, _ = row.test.fields["description"].(string)
	if messages := messagesOf(row.Text); messages != nil {
		for _, m := range messages {
			role, _ := m["role"].(string)
			c.Input = append(c.Input, rubric.Message{Role: role, Content: m["content"], ToolCalls: m["tool_calls"]})
		}
	} else {
		c.Input = []rubric.Message{{Role: "user", Content: row.Text}}
	}
	if at := row.test.at; at != nil {
		c.Span, c.SelectionSpan = at.Span, at.Span
		if entries := at.Entries(); len(entries) > 0 {
			c.SelectionSpan = entries[0].Key.Span
			if d := at.Get("description"); d != nil && row.test.file == "" {
				c.SelectionSpan, c.OutcomeSpan = d.Span, d.Span
			}
		}
	}
	if row.Output != nil {
		answer := outputText(row.Output)
		c.Answer = &answer
	}
	if only := l.onlyProvider(row); only != "" {
		c.Target = only
	}
	threshold, hasThreshold := row.Threshold.(float64)
	c.Threshold = &threshold
	shared := &assertion.Row{
		Vars: row.filled, Prompt: row.Text, Options: row.Options, Tools: row.Provider.Config["tools"], Functions: row.Provider.Config["functions"],
		Thresholds: hasThreshold,
	}
	for _, e := range row.entries {
		c.Graders = append(c.Graders, l.lowerEntry(e, shared, row.test.at))
	}
	if row.Err != nil && l.Own && !l.ownFilters {
		l.lose(TemplateInvalid, row.Prompt.node, row.Err.Error())
	}
	c.DialectData = &row
	return c
}

// onlyProvider returns the provider of a case if its test selects one of several.
func (l *loader) onlyProvider(row Row) string {
	if row.test.fields["providers"] == nil || len(l.providers) < 2 {
		return ""
	}
	selected := slices.DeleteFunc(slices.Clone(l.providers), func(p Provider) bool { return !isSelected(row.test.fields["providers"], p.matches) })
	if len(selected) != 1 {
		return ""
	}
	return assertion.ProviderName(selected[0].ID)
}

func outputText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return nunjucks.JSON(v, "")
}

// lowerEntry lowers an assertion and places it in the file.
func (l *loader) lowerEntry(e entry, row *assertion.Row, at *yaml.Node) *rubric.Grader {
	g := assertion.Lower(l.withFile(e.fields), row)
	if at == nil {
		at = e.node
	}
	l.place(g, e.node, at)
	return g
}

// withFile returns the fields of an assertion with the content of the file that is its value.
func (l *loader) withFile(fields map[string]any) map[string]any {
	reference, ok := fields["value"].(string)
	if !ok || l.ReadFile == nil || len(reference) < len(fileScheme) || reference[:len(fileScheme)] != fileScheme {
		return fields
	}
	name, end := ending(reference)
	body, found := l.ReadFile(name)
	if !found {
		return fields
	}
	out := overlay(fields, nil)
	switch end {
	case ".json", ".yaml", ".yml":
		out["value"] = toValue(parseYAML(body).Root())
	case ".txt", ".md":
		out["value"] = body
	default:
		return fields
	}
	return out
}

func (l *loader) place(g *rubric.Grader, n, at *yaml.Node) {
	if n == nil {
		if at != nil {
			g.Span, g.SelectionSpan = at.Span, at.Span
		}
		return
	}
	spanOf := func(key string) (span text.Span) {
		if v := n.Get(key); v != nil {
			span = v.Span
		}
		return span
	}
	g.Span, g.SelectionSpan = n.Span, spanOf("type")
	g.WeightSpan, g.ThresholdSpan = spanOf("weight"), spanOf("threshold")
	if g.SelectionSpan.Empty() {
		g.SelectionSpan = n.Span
	}
	if g.Assert != nil {
		g.Assert.TypeSpan, g.Assert.ValueSpan = spanOf("type"), spanOf("value")
	}
	if criterion, ok := n.Get("value").Str(); ok && g.Kind == rubric.LLMJudge {
		switch g.Assert.Type {
		case "llm-rubric", "g-eval", "model-graded-closedqa":
			filled, _ := g.Assert.Value.(string)
			g.Criteria = []*rubric.Criterion{{
				ID: rubric.AutoID(1), AutoID: true, Text: cmp.Or(filled, criterion), Weight: 1, Span: n.Span, TextSpan: n.Get("value").Span,
			}}
		}
	}
	members := n.Get("assert").List()
	for i, m := range g.Members {
		if i < len(members) {
			l.place(m, members[i], at)
		}
	}
}

// Missing is a variable that a test does not have, although something needs it: the value of an assertion, or the
// prompt if In is nil.
type Missing struct {
	Name string
	In   *rubric.Grader
}

// MissingVariables returns the variables that the prompt and the assertions of a case need and its test does not
// have.
func MissingVariables(c *rubric.Case) (missing []Missing) {
	row, ok := c.DialectData.(*Row)
	if !ok || row.test.file != "" || row.Options["transformVars"] != nil {
		return nil
	}
	check := func(source any, in *rubric.Grader) {
		text, _ := source.(string)
		if !nunjucks.IsTemplate(text) {
			return
		}
		t, err := nunjucks.Parse(text)
		if err != nil {
			return
		}
		for _, name := range t.Names() {
			if _, found := row.filled[name]; !found && name != "env" && name != "_conversation" {
				missing = append(missing, Missing{name, in})
			}
		}
	}
	if len(row.Vars) > 0 && !row.Prompt.Unread {
		check(row.Prompt.Text, nil)
	}
	for _, g := range c.Graders {
		if a, ok := g.DialectData.(*assertion.Assertion); ok {
			list, _ := a.Written.([]any)
			for _, written := range append(list, a.Written) {
				check(written, g)
			}
		}
	}
	return missing
}
