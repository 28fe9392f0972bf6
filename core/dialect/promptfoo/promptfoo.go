// Package promptfoo reads the configurations of promptfoo 0.121.20 and its files of tests.
//
// A configuration multiplies prompts, providers and tests with their variables. [Lower] expands it into
// rows as promptfoo does, and each row becomes a case of the domain. Package assertion grades rows,
// package nunjucks fills in templates. Everything that promptfoo drops, ignores or reads otherwise than it
// looks is a loss.
//
// The package reads syntax trees. It opens no files, runs no programs and words no diagnostics.
package promptfoo

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's name.
const Name = "promptfoo"

// Version is the release of promptfoo whose behaviour is reproduced.
const Version = "0.121.20"

// Roles of files.
const (
	Config agentv.Role = "promptfoo"       // a configuration
	Tests  agentv.Role = "promptfoo-tests" // a list of tests in YAML or JSON
)

// RoleOf returns the role of a file, or "". The file of AgentV's newest version has the same
// shape, but each of its tests has an id, and its keys are in snake_case.
func RoleOf(name string, tree *yaml.Tree) agentv.Role {
	root := tree.Root()
	isOther := func(n *yaml.Node) bool { return !isTest(n) }
	switch items := root.List(); {
	case isNamedConfig(name), root.IsMap() && (isConfig(name, root, root.Get("tests").List()) || hasModeline(tree)):
		return Config
	case len(items) > 0 && !slices.ContainsFunc(items, isOther):
		return Tests
	}
	return ""
}

func hasModeline(tree *yaml.Tree) bool {
	return slices.ContainsFunc(tree.Comments, func(c yaml.Comment) bool { return strings.Contains(c.Text, "promptfoo.dev/config-schema") })
}

// isNamedConfig reports whether a file is a configuration by its name.
func isNamedConfig(name string) bool {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.HasPrefix(base, "promptfooconfig.") && !strings.Contains(base, ".labels.")
}

// isConfig reports whether a mapping with some tests is a configuration, by its keys and the name of its file.
func isConfig(name string, root *yaml.Node, tests []*yaml.Node) bool {
	hasProviders, suffix := agentv.HasAnyKey(root, "providers", "targets"), strings.ToLower(name)
	isForeign := func(scenario *yaml.Node) bool {
		return agentv.HasAnyKey(scenario, "id") || slices.ContainsFunc(scenario.Get("tests").List(), hasForeignKey)
	}
	switch {
	case !hasProviders && root.Get("prompts") == nil:
		return false
	case isNamedConfig(name), agentv.HasAnyKey(root, ownKeys...):
		return true
	case agentv.HasAnyKey(root, foreignKeys...), !hasProviders, strings.HasSuffix(suffix, ".eval.yaml"), strings.HasSuffix(suffix, ".eval.yml"),
		slices.ContainsFunc(root.Get("scenarios").List(), isForeign), slices.ContainsFunc(tests, hasForeignKey):
		return false
	}
	return len(tests) > 0 || !root.Get("tests").IsNull() || root.Get("scenarios") != nil
}

// ownKeys are keys of a configuration that no other dialect has.
var ownKeys = []string{"defaultTest", "redteam", "evaluateOptions", "derivedMetrics", "commandLineOptions", "outputPath", "nunjucksFilters"}

// foreignKeys are keys of AgentV's suites that promptfoo does not know.
var foreignKeys = []string{
	"evalcases", "testcases", "cases", "eval_cases", "default_test", "evaluate_options", "derived_metrics", "output_path", "nunjucks_filters",
	"environment", "workspace", "execution", "governance", "defaults", "graders", "input", "criteria", "assertions", "timeout_seconds", "name", "version", "experiment",
}

// hasForeignKey reports whether a test has a key that AgentV's tests have and those of promptfoo have not.
func hasForeignKey(test *yaml.Node) bool {
	return agentv.HasAnyKey(test, "id", "input", "criteria", "expected_output", "expected_outcome", "assertions", "rubrics", "conversation_id", "execution", "turns", "eval_id", "question")
}

// isTest reports whether a mapping is a test in a file of its own.
func isTest(n *yaml.Node) bool {
	return n.IsMap() && agentv.HasAnyKey(n, "vars", "assert") && !hasForeignKey(n) && (n.Get("assert") == nil || n.Get("assert").IsSeq()) &&
		!slices.ContainsFunc(n.Entries(), func(p *yaml.Pair) bool { return testType.Field(p.Key.Value) == nil })
}

func init() {
	dialect.Register(dialect.Other{
		Name: Name, Version: Version, RoleOf: RoleOf, Mismatches: mismatches,
		Files: []dialect.OtherFile{
			{Role: Config, Document: schema.Document{Name: "promptfoo-config", Title: "promptfoo configuration", Root: ConfigFile}},
			{Role: Tests, Document: schema.Document{Name: "promptfoo-tests", Title: "promptfoo tests", Root: TestsFile}},
		},
		Lower: Lower, Divide: divide,
		ForeignRules: []string{
			"loader-loss", "not-supported", "asserts-nothing", // those of promptfoo have own rules
			"yaml-lookalike",     // it reads YAML 1.2 but for dates; see changed-value
			"schema-not-applied", // its own schema has fewer rules than the field table
			"id-style",           // its tests have numbers
		},
	})
}

// mismatches leaves out keys that only hold what the file refers to, and settings for a provider among options of tests.
func mismatches(t *yaml.Tree, found []conform.Mismatch) []conform.Mismatch {
	return slices.DeleteFunc(found, func(m conform.Mismatch) bool {
		switch {
		case t.Root().IsMap() && isOpenReference(m.Node) && (m.Kind != conform.UnknownKey || m.Key == "$ref"): // it is a loss
			return true
		case m.Kind == conform.UnknownKey && m.Owner == ConfigFile:
			hasAnchor := func(n *yaml.Node) bool { return n.Anchor != "" && n.Kind != yaml.Alias }
			isUse := func(n *yaml.Node) bool { return n.Kind == yaml.Alias && strings.HasPrefix(n.Value+"/", "#/"+m.Key+"/") }
			return strings.HasPrefix(m.Key, "x-") || m.Suggestion == "" && has(t.Root().Get(m.Key), hasAnchor) || has(t.Root(), isUse)
		case m.Kind == conform.UnknownKey && m.Owner == testOptionsType:
			return m.Suggestion == "" && m.Upper == nil
		case m.Kind == conform.UnknownValue:
			return assertion.TypeOf(m.Node.Text()).Name != "" // one that the table does not list
		case m.Kind == conform.NoValue:
			return m.Owner != nil && m.Owner.Name != "test" && m.Field == nil
		}
		return false
	})
}

// Lower returns the suite of a file: a case for each test with one value per variable and one prompt.
func Lower(r dialect.Reader, t *yaml.Tree, role agentv.Role) *rubric.Suite {
	return read(r, t, role).lower()
}

// divide implements [dialect.Other.Divide]. Scenarios, derived metrics, references and answers that are kept need the whole file.
func divide(r dialect.Reader, path string, header *yaml.Tree, key string) dialect.LowerPart {
	root := header.Root()
	if key != "tests" || agentv.HasAnyKey(root, "scenarios", "derivedMetrics") || has(root, isWhole) {
		return nil
	}
	whole := read(r, header, Config)
	return func(part *yaml.Tree, index int) (*rubric.Suite, bool) {
		l := *whole
		l.suite, l.firstTest = &rubric.Suite{Dialect: Name, Version: Version, Name: r.Name}, index
		l.tests = l.loadTests(part.Root(), element{})
		l.checkTests(l.tests...)
		isOne := isConfig(path, root, part.Root().List()) || hasModeline(header)
		return l.lower(), isOne && !has(part.Root(), isWhole)
	}
}

// isWhole reports whether a node needs the whole file.
func isWhole(n *yaml.Node) bool { return isReference(n) || n.Get("storeOutputAs") != nil }

// targets returns the providers. Those of one name differ in settings, which are not read.
func (l *loader) targets() (names []string) {
	for _, p := range l.providers {
		names = generic.AppendNew(names, assertion.ProviderName(p.id))
	}
	return names
}

func (l *loader) lower() *rubric.Suite {
	seen := map[string]*rubric.Case{}
	for _, row := range l.rows() {
		if l.Own {
			l.checkPrompt(row)
		}
		if seen[row.id] == nil {
			seen[row.id] = l.lowerRow(row)
			l.suite.Cases = append(l.suite.Cases, seen[row.id])
		}
		if c := seen[row.id]; c.Target == "" {
			c.Targets = generic.AppendNew(c.Targets, assertion.ProviderName(row.provider.id))
		}
	}
	all := len(l.targets())
	for _, c := range l.suite.Cases {
		switch len(c.Targets) {
		case all:
			c.Targets = nil
		case 1:
			c.Target, c.Targets = c.Targets[0], nil
		}
	}
	return l.suite
}

// checkPrompt reports a prompt that cannot be filled in, or that promptfoo does not fill in.
func (l *loader) checkPrompt(row Row) {
	if row.err != nil && !l.ownFilters {
		l.lose(templateInvalid, row.Prompt.node, row.err.Error())
	}
	if tag := plainTag().FindString(row.Prompt.text); tag != "" && !nunjucks.IsTemplate(row.Prompt.text) && strings.Contains(row.Text, tag) {
		l.lose(templateOpen, row.Prompt.node, tag)
	}
}

// read reads a configuration, or tests as a configuration would ask them.
func read(r dialect.Reader, t *yaml.Tree, role agentv.Role) *loader {
	l := &loader{Reader: r, suite: &rubric.Suite{Dialect: Name, Version: Version, Name: r.Name}, repeat: 1}
	if role != Tests && !t.HasUnboundedAliases() {
		l.resolveReferences(t)
	}
	switch {
	case t.HasUnboundedAliases():
	case role == Tests:
		l.providers = []provider{{named: named{"echo", "echo"}}}
		l.prompts = []Prompt{{named: anyPrompt.named, text: anyPrompt.text, unread: true}}
		for _, n := range nodesIn(t) {
			if n.IsMap() {
				l.tests = append(l.tests, l.loadTest(element{node: n, at: n}))
			}
		}
	default:
		l.ownFilters = t.Root().Get("nunjucksFilters") != nil
		l.load(t.Root())
		l.suite.Description = t.Root().Get("description").Text()
		for _, item := range t.Root().Get("derivedMetrics").List() {
			l.suite.Derived = append(l.suite.Derived, rubric.DerivedMetric{Name: item.Get("name").Text(), Formula: item.Get("value").Text()})
		}
		l.suite.Targets = l.targets()
	}
	return l
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
	own := row.fields["provider"]
	if settings, isMap := own.(map[string]any); isMap {
		own = settings["id"]
	}
	if id, _ := own.(string); id != "" {
		c.Target = assertion.ProviderName(id)
	}
	threshold, hasThreshold := row.fields["threshold"].(float64)
	c.Threshold = &threshold
	shared := &assertion.Row{
		Vars: row.filled, Prompt: row.Text, Options: l.withPrompt(javascript.As[map[string]any](row.fields["options"])), Thresholds: hasThreshold,
		Metadata: row.fields["metadata"], Tools: l.fileValue(row.provider.config["tools"]), Functions: l.fileValue(row.provider.config["functions"]),
	}
	if _, isText := row.fields["providerOutput"].(string); !isText {
		shared.Output = row.fields["providerOutput"]
	}
	for _, e := range row.asserts {
		g := assertion.Lower(l.withFiles(e.fields), shared)
		place(g, e.node, row.at)
		c.Graders = append(c.Graders, g)
	}
	switch code, stored := l.codeOf(row), row.missingAnswer(); {
	case stored != "":
		c.Unreadable = "its variable `" + stored + "` is the answer to another test, which is not kept here"
	case row.Prompt.unread && row.Prompt.node != nil: // else it is that of a file of tests
		c.Unreadable = "its prompt `" + cmp.Or(row.Prompt.text, row.Prompt.Label) + "` is a program, or is not read here"
	case row.unread != "":
		c.Unreadable = "its variable `" + row.unread + "` is from a program or a file that is not read here"
	case strings.Contains(row.Prompt.text, "_conversation") && shared.Options["disableConversationVar"] != true:
		c.Unreadable = "its prompt has `_conversation`, which needs the answers to other tests, and is not available here"
	case row.err != nil:
		c.Unreadable = "the prompt cannot be filled in: " + row.err.Error()
	case code != "":
		c.Unreadable = "its `" + code + "` is code, which is not run here"
	default:
		c.Unreadable = assertion.LacksEnvironment(row.Prompt.text+javascript.JSON(row.vars), row.filled)
	}
	return c
}

// codeOf returns the key of code that changes what a row asks or what its score is, or "".
func (l *loader) codeOf(row Row) string {
	options := javascript.As[map[string]any](row.fields["options"])
	for _, key := range []string{"transformVars", "transform", "postprocess"} {
		if options[key] != nil {
			return key
		}
	}
	switch {
	case row.fields["assertScoringFunction"] != nil:
		return "assertScoringFunction"
	case slices.ContainsFunc(l.selectedProviders(row.test), func(p provider) bool { return !p.settings.Get("transform").IsNull() }):
		return "transform"
	}
	return ""
}

// withFiles returns the fields of an assertion, and of its members, with the contents of the files that they name.
func (l *loader) withFiles(fields map[string]any) map[string]any {
	out := javascript.Assign(l.withPrompt(fields))
	if value, found := fields["value"]; found {
		out["value"] = l.fileValue(value)
	}
	if members, isList := fields["assert"].([]any); isList {
		out["assert"] = generic.Map(members, func(member any) any {
			if fields, isMap := member.(map[string]any); isMap {
				return l.withFiles(fields)
			}
			return member
		})
	}
	return out
}

// fileValue returns the content of the file that a value names, also as an item of a list, or else the value.
func (l *loader) fileValue(value any) any {
	if list, isList := value.([]any); isList {
		return generic.Map(list, l.fileValue)
	}
	switch end, body, found := l.readReference(value); {
	case !found:
	case end == ".json", end == ".yaml", end == ".yml":
		return toValue(parseYAML(body).Root())
	case end == ".txt":
		return strings.TrimSpace(body)
	}
	return value
}

// withPrompt returns fields with the content of the file that is the judge's prompt.
func (l *loader) withPrompt(fields map[string]any) map[string]any {
	end, body, found := l.readReference(fields["rubricPrompt"])
	if found && slices.Contains([]string{".txt", ".md", ".json"}, end) {
		return javascript.Assign(fields, map[string]any{"rubricPrompt": body})
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
		g.Criteria = []*rubric.Criterion{{
			ID: rubric.AutoID(1), AutoID: true, Text: cmp.Or(javascript.As[string](g.Assert.Value), criterion), Weight: 1, Span: n.Span, TextSpan: n.Get("value").Span,
		}}
	}
	members := n.Get("assert").List()
	for i, m := range g.Members {
		if i < len(members) {
			place(m, members[i], at)
		}
	}
}
