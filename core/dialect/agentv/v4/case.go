package v4

import (
	"cmp"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// newCase returns a case with the values that the test itself contains.
func (l *suiteLoader) newCase(n *yaml.Node) *rubric.Case {
	c := agentv.NewCase(n, rubric.LLMJudge)
	if goal := goalNode(n); goal != nil {
		c.ExpectedOutcome, _ = goal.Str()
		c.OutcomeSpan = goal.Span
	}
	l.setGeneratedID(c)
	c.Threshold = l.readThreshold(n)
	if l.included != nil {
		l.included.relocate(c)
	}
	return c
}

// goalNode returns the expected outcome, under its newest key or the one before.
func goalNode(n *yaml.Node) *yaml.Node {
	for _, key := range []string{"criteria", "expected_outcome"} {
		if text, _ := n.Get(key).Str(); text != "" {
			return n.Get(key)
		}
	}
	return nil
}

// loadV4Test reads a test that contains its own input.
func (l *suiteLoader) loadV4Test(n *yaml.Node) {
	c := l.newCase(n)
	skipDefaults, _ := n.Get("execution").Get("skip_defaults").Bool()
	if !skipDefaults {
		l.appendInput(c, l.root.Get("input"), l.root.Get("input").Any())
	}
	l.appendInput(c, n.Get("input"), l.withInputFiles(n, n.Get("input").Any()))
	c.Question = rubric.ConversationText(c.Input)
	c.Expected, c.ReferenceAnswer = agentv.ReadExpectedOutput(n.Get("expected_output")), agentv.ReferenceAnswer(n)
	reader := l.assertionReader()
	result := reader.ReadCase(n, l.root)
	if rubrics := n.Get("rubrics"); rubrics.IsSeq() {
		inline := reader.ReadInlineRubric(rubrics)
		result.Graders = append(inline.Graders, result.Graders...)
		result.Losses = append(inline.Losses, result.Losses...)
		if inline.Refused != "" {
			result.Refused = inline.Refused
		}
	}
	l.suite.Losses = append(l.suite.Losses, result.Losses...)
	c.Graders = result.Graders
	l.addCase(c, n, cmp.Or(l.readConversation(c, n, nil), result.Refused))
}

// withInputFiles returns an input that is a text as a message with the test's or the suite's
// `input_files` before the text.
func (l *suiteLoader) withInputFiles(n *yaml.Node, value any) any {
	files := n.Get("input_files")
	if files == nil {
		files = l.root.Get("input_files")
	}
	text, isText := value.(string)
	var parts []any
	for _, file := range files.List() {
		if path, ok := file.Str(); ok {
			parts = append(parts, map[string]any{"type": "file", "value": path})
		}
	}
	if !isText || len(parts) == 0 {
		return value
	}
	parts = append(parts, map[string]any{"type": "text", "value": text})
	return []any{map[string]any{"role": "user", "content": parts}}
}

// appendInput appends messages to the case's input.
func (l *suiteLoader) appendInput(c *rubric.Case, at *yaml.Node, value any) {
	if text, isText := value.(string); isText && l.Version == agentv.Head {
		value = readChat(text)
	}
	messages, ok := readMessages(value)
	if items := at.List(); l.Version == agentv.V4 && len(items) == len(messages) {
		for i, item := range items {
			messages[i].Parts = agentv.DataParts(item.Get("content"))
		}
	}
	if !ok {
		l.addLoss(agentv.MessageInvalid, rubric.Silent, at, "")
	}
	c.Input = append(c.Input, messages...)
}

// loadHeadTest reads a test that fills the suite's prompts. It adds a case for each prompt and
// each combination of variables.
func (l *suiteLoader) loadHeadTest(n *yaml.Node) {
	graders, refused := l.readHeadGraders(n)
	own := n.Get("vars")
	names := variableOrder(l.root.Get("default_test").Get("vars"), own)
	for _, p := range l.prompts {
		for _, vars := range variableCombinations(l.testVariables(n), names) {
			c := l.newCase(n)
			if len(l.prompts) > 1 && c.ID != "" {
				c.ID += p.caseIDSuffix()
			}
			l.appendInput(c, l.root.Get("prompts"), l.withInputFiles(n, fillVariables(fillVariables(p.input, vars), vars)))
			c.Question = rubric.ConversationText(c.Input)
			l.readExpected(c, own, vars)
			fillString(&c.ID, vars)
			fillString(&c.ExpectedOutcome, vars)
			c.Graders = fillGraders(graders, vars)
			l.addCase(c, n, cmp.Or(l.readConversation(c, n, vars), refused))
		}
	}
	if len(l.prompts) == 0 {
		c := l.newCase(n)
		c.Graders = graders
		l.addCase(c, n, refused)
	}
}

// readHeadGraders returns a test's graders. If neither test nor suite names any, the expected
// outcome is the only criterion.
func (l *suiteLoader) readHeadGraders(n *yaml.Node) (graders []*rubric.Grader, refused string) {
	reader := l.assertionReader()
	result := reader.ReadCase(n, l.root)
	if goal := goalNode(n); goal != nil && !l.namesGraders(n) {
		result = reader.ReadText(goal)
	} else if goal != nil && n.Get("assert") != nil {
		l.addLoss(CriteriaWithAssert, rubric.Warns, goal, "")
	}
	l.suite.Losses = append(l.suite.Losses, result.Losses...)
	return result.Graders, result.Refused
}

// graderKeys are the keys of lists of graders, in a test and in a suite.
var graderKeys = []string{"assert", "assertions", "evaluators", "rubrics"}

// namesGraders reports whether a test or its suite names graders, readable or not.
func (l *suiteLoader) namesGraders(n *yaml.Node) bool {
	holders := []*yaml.Node{n}
	if skipDefaults, _ := n.Get("execution").Get("skip_defaults").Bool(); !skipDefaults {
		holders = append(holders, l.root, l.root.Get("default_test"))
	}
	keys := graderKeys
	if l.Version == agentv.Head {
		keys = keys[:1]
	}
	for _, holder := range holders {
		if agentv.HasAnyKey(holder, keys...) {
			return true
		}
	}
	return false
}

// readExpected reads the reference answer from the variables.
func (l *suiteLoader) readExpected(c *rubric.Case, own *yaml.Node, vars map[string]any) {
	holder := own
	if holder.Get("expected_output") == nil {
		holder = l.root.Get("default_test").Get("vars")
	}
	c.Expected = agentv.ReadExpectedOutput(holder.Get("expected_output"))
	for i := range c.Expected {
		c.Expected[i].Content = fillVariables(c.Expected[i].Content, vars)
	}
	c.ReferenceAnswer = agentv.ReferenceAnswer(holder)
	fillString(&c.ReferenceAnswer, vars)
}

// addCase adds a case to the suite's cases or, if the loader skips it, to the skipped ones.
func (l *suiteLoader) addCase(c *rubric.Case, n *yaml.Node, refused string) {
	turns := n.Get("turns").List()
	var missing []string
	if c.ID == "" {
		missing = append(missing, "id")
	}
	if l.standalone && len(missing) == 0 && len(c.Input) == 0 {
		l.suite.Skipped = append(l.suite.Skipped, c) // a suite that includes this file has the input
		return
	}
	if len(c.Input) == 0 && !l.standalone {
		missing = append(missing, "input")
	}
	if !l.standalone && c.ExpectedOutcome == "" && len(c.Expected)+len(c.Graders)+len(turns) == 0 && !l.namesGraders(n) {
		missing = append(missing, "criteria")
	}
	kind, detail := agentv.CaseIncomplete, strings.Join(missing, ", ")
	if len(missing) == 0 {
		kind, detail = agentv.CaseBroken, refused
	}
	if detail == "" {
		l.suite.Cases = append(l.suite.Cases, c)
		if !l.standalone && len(c.Graders)+len(turns) == 0 && (l.Version == agentv.Head || l.namesGraders(n)) {
			score := map[agentv.Version]string{agentv.V4: "0", agentv.Head: "1"}[l.Version]
			l.suite.Losses = append(l.suite.Losses, rubric.Loss{
				Kind: NoGraders, Level: rubric.Refuses, Span: c.SelectionSpan, Detail: "its score is " + score + ", whatever the answer",
			})
		}
		return
	}
	l.suite.Skipped = append(l.suite.Skipped, c)
	l.suite.Losses = append(l.suite.Losses, rubric.Loss{Kind: kind, Level: rubric.Refuses, Span: c.SelectionSpan, Detail: detail})
}

// readThreshold returns the score that passes: the test's own, its execution's or the suite's. It
// ignores values outside 0 to 1.
func (l *suiteLoader) readThreshold(n *yaml.Node) *float64 {
	holders := []*yaml.Node{n.Get("run"), n.Get("execution"), n, l.root.Get("default_test"), l.root}
	if l.Version == agentv.V4 {
		holders = []*yaml.Node{n.Get("execution"), l.root.Get("execution")}
	}
	for _, holder := range holders {
		if share, ok := holder.Get("threshold").Number(); ok && share >= 0 && share <= 1 {
			return &share
		}
	}
	return nil
}
