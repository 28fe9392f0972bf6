// Package head reads files of AgentV's newest version and has their field tables. It builds on
// package v4: a suite has prompts, which the variables of each test fill in, and scenarios.
package head

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Format is the newest version's format.
var Format = v4.Format{
	Version: agentv.Head, CaseKeys: agentv.CasesKeys[:1], NoTests: v4.TestsMissing, GraderKeys: v4.V4.GraderKeys[:1], Fallback: rubric.NoGrader, UnreadThreshold: true,
	Header: readHeader, Scenarios: loadScenarios, ParseCSV: parseCSV,
	Thresholds: func(root, test *yaml.Node) []*yaml.Node {
		return []*yaml.Node{test.Get("run"), test.Get("execution"), root.Get("default_test"), root}
	},
	IsSpecified: func(l *v4.Loader, _ *rubric.Case, n *yaml.Node) bool { return l.NamesGraders(n) },
}

// Files are the kinds of files of the newest version, the eval file first.
var Files = []agentv.File{
	{Version: agentv.Head, Role: agentv.EvalV4, Name: "agentv-head", Title: "AgentV 5.3.1-next.1 eval file", Type: EvalFile},
	{Version: agentv.Head, Role: agentv.Cases, Name: "agentv-head-test", Title: "AgentV 5.3.1-next.1 test, a line of a JSONL file", Type: TestType},
	{Version: agentv.Head, Role: agentv.TestList, Name: "agentv-head-tests", Title: "AgentV 5.3.1-next.1 list of tests", Type: schema.ListOf(TestType)},
	{Version: agentv.Head, Role: agentv.ScenarioList, Name: "agentv-head-scenarios", Title: "AgentV 5.3.1-next.1 list of scenarios", Type: schema.ListOf(scenarioType)},
	{Version: agentv.Head, Role: agentv.Providers, Name: "agentv-head-providers", Title: "AgentV 5.3.1-next.1 providers", Type: ProvidersFile},
	{Version: agentv.Head, Role: agentv.Config, Name: "agentv-head-config", Title: "AgentV 5.3.1-next.1 configuration", Type: ConfigFile},
}

// header is the settings of all tests.
type header struct {
	prompts  []promptTemplate
	defaults map[string]any // variables of all tests
}

func readHeader(l *v4.Loader) func(*v4.Loader, *yaml.Node) {
	readDefaultTestFile(l)
	if threshold := l.Root.Get("threshold"); threshold != nil && v4.ReadThreshold(l.Root) == nil {
		l.FailFile(v4.ThresholdRefused, threshold, "")
	}
	l.Suite.Targets = agentv.ReadTargetNames(l.Root)
	h := &header{prompts: readPrompts(l, l.Root.Get("prompts"))}
	h.defaults, _ = l.Root.Get("default_test").Get("vars").Any().(map[string]any)
	return h.readTest
}

// readTest reads a test that fills the suite's prompts. It adds a case for each prompt and
// each combination of variables.
func (h *header) readTest(l *v4.Loader, n *yaml.Node) {
	if other, isIncluded := n.Get("include").Str(); isIncluded {
		l.AddLoss(v4.TestsInOtherFile, rubric.Silent, n.Get("include"), other)
		return
	}
	graders, refused := readGraders(l, n)
	own := n.Get("vars")
	names := agentv.VariableOrder(l.Root.Get("default_test").Get("vars"), own)
	ownVars, _ := own.Any().(map[string]any)
	merged := javascript.Assign(h.defaults, ownVars)
	isVariable := n.Get("input") != nil && l.IsIncluded() // the reference then leaves `input_files` out
	if isVariable {
		merged["input"] = n.Get("input").Any()
		if !slices.Contains(names, "input") {
			names = append(names, "input")
		}
	}
	for _, p := range h.prompts {
		for _, vars := range variableCombinations(merged, names) {
			c := l.NewCase(n)
			c.Target = agentv.ProviderName(n.Get("provider"))
			if len(h.prompts) > 1 && c.ID != "" {
				c.ID += p.caseIDSuffix()
				for i := range c.DependsOn {
					c.DependsOn[i] += p.caseIDSuffix()
				}
			}
			fill := v4.Fill(func(value any) any { return fillVariables(value, vars) })
			input, filesRefused := fill(fill(p.input)), ""
			if !isVariable && !p.isUnread {
				input, filesRefused = l.WithInputFiles(n, input)
			}
			if text, isText := input.(string); isText {
				input = readChat(text)
			}
			l.AppendInput(c, l.Root.Get("prompts"), input)
			c.Question = rubric.ConversationText(c.Input)
			readExpected(l, c, own, fill)
			fill.String(&c.ID)
			fill.String(&c.ExpectedOutcome)
			c.Graders = fill.Graders(graders)
			l.AddCase(c, n, cmp.Or(filesRefused, l.ReadConversation(c, n, fill), refused))
		}
	}
	if len(h.prompts) == 0 {
		c := l.NewCase(n)
		if input := n.Get("input"); input != nil && l.IsIncluded() {
			value, filesRefused := l.WithInputFiles(n, input.Any())
			l.AppendInput(c, input, value)
			c.Question, refused = rubric.ConversationText(c.Input), cmp.Or(filesRefused, refused)
		}
		c.Graders = graders
		l.AddCase(c, n, refused)
	}
}

// readGraders returns a test's graders. If neither test nor suite names any, the expected
// outcome is the only criterion.
func readGraders(l *v4.Loader, n *yaml.Node) (graders []*rubric.Grader, refused string) {
	reader := l.AssertionReader()
	result := reader.ReadCase(n, l.Root)
	if goal := v4.GoalNode(n); goal != nil && !l.NamesGraders(n) {
		result = reader.ReadText(goal)
	} else if goal != nil && n.Get("assert") != nil {
		l.AddLoss(v4.CriteriaWithAssert, rubric.Warns, goal, "")
	}
	l.Losses = append(l.Losses, result.Losses...)
	for _, holder := range []*yaml.Node{n.Get("options").Get("provider"), l.Root.Get("default_test").Get("options").Get("provider"), l.Root.Get("defaults").Get("grader")} {
		nameJudge(result.Graders, agentv.ProviderName(holder))
	}
	return result.Graders, result.Refused
}

// nameJudge names a judge for the graders that ask one and name none themselves.
func nameJudge(graders []*rubric.Grader, judge string) {
	for _, g := range graders {
		if g.Kind == rubric.LLMJudge {
			g.Judge = cmp.Or(g.Judge, judge)
		}
		nameJudge(g.Members, judge)
	}
}

// readExpected reads the reference answer from the variables.
func readExpected(l *v4.Loader, c *rubric.Case, own *yaml.Node, fill v4.Fill) {
	holder := own
	if holder.Get("expected_output") == nil {
		holder = l.Root.Get("default_test").Get("vars")
	}
	c.Expected = seed.ReadExpectedOutput(holder.Get("expected_output"))
	for i := range c.Expected {
		c.Expected[i].Content = fill(c.Expected[i].Content)
	}
	c.ReferenceAnswer = seed.ReferenceAnswer(holder)
	fill.String(&c.ReferenceAnswer)
}

// readDefaultTestFile replaces a `default_test` that names a file by the mapping in it. All of that has the
// span of the name.
func readDefaultTestFile(l *v4.Loader) {
	at := l.Root.Get("default_test")
	name, isFile := at.Str()
	if !isFile {
		return
	}
	name = v4.TrimFileScheme(name)
	if l.ReadFile == nil || strings.HasPrefix(name, "ref://") { // a name of the configuration
		l.AddLoss(v4.DefaultTestInOtherFile, rubric.Silent, at, name)
		return
	}
	body, found := l.ReadFile(name)
	defaults := yaml.Parse(text.New(name, body))
	switch {
	case !found:
		l.FailFile(v4.FileMissing, at, name)
	case !defaults.Root().IsMap() || defaults.HasUnboundedAliases():
		l.FailFile(v4.DefaultTestInvalid, at, name)
	default:
		defaults.MapSpans(func(text.Span) text.Span { return at.Span })
		root := *l.Root.Follow()
		root.Pairs = append(slices.Clip(root.Pairs), &yaml.Pair{Key: at.Key.Key, Value: defaults.Root()})
		l.Root = &root
	}
}
