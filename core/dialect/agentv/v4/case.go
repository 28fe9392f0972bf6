package v4

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// NewCase returns a case with the values that the test itself contains.
func (l *Loader) NewCase(n *yaml.Node) *rubric.Case {
	c := seed.NewCase(n, l.Fallback)
	if goal := GoalNode(n); goal != nil {
		c.ExpectedOutcome, c.OutcomeSpan = goal.Text(), goal.Span
	}
	if l.GeneratedID != "" && c.ID != l.GeneratedID {
		c.ID, c.IDSpan = l.GeneratedID, text.Span{Start: c.SelectionSpan.Start, End: c.SelectionSpan.Start}
	}
	c.Tags = append(readTexts(l.Root.Get("tags")), readTexts(n.Get("metadata").Get("tags"))...)
	c.DependsOn, c.OnDependencyFailure = readTexts(n.Get("depends_on")), n.Get("on_dependency_failure").Text()
	c.Trials = readTrials(n.Get("run").Get("repeat"), n.Get("options").Get("repeat"), l.Root.Get("default_test").Get("options").Get("repeat"),
		l.Root.Get("evaluate_options").Get("repeat"), l.Root.Get("execution").Get("trials"))
	for _, key := range []string{"workspace", "environment"} {
		if !n.Get(key).IsNull() || !l.Root.Get(key).IsNull() {
			c.Unreadable = "it needs the `" + key + "` of its file, and none is set up"
		}
	}
	c.Threshold = ReadThreshold(l.Thresholds(l.Root, n)...)
	c.SharedThreshold = ReadThreshold(l.Thresholds(nil, n)...) == nil
	if own := ReadThreshold(n); l.UnreadThreshold && own != nil && ReadThreshold(n.Get("run"), n.Get("execution")) == nil {
		c.UnreadThreshold = own
		l.AddLoss(ThresholdUnread, rubric.Silent, n.Get("threshold"), "")
	}
	if l.included != nil {
		l.included.relocate(c)
	}
	return c
}

// readTrials returns how often a test is run, from the first holder that says it: a number, or a
// mapping. It is nil for one run.
func readTrials(holders ...*yaml.Node) *rubric.Trials {
	for _, n := range holders {
		t := rubric.Trials{Strategy: "pass_at_k", StopAtPass: true} // the default of AgentV 4
		count, ok := n.Number()
		if ok { // of the newest version
			t = rubric.Trials{Strategy: "pass_any"}
		} else {
			count, ok = n.Get("count").Number()
		}
		if strategy := n.Get("strategy").Text(); strategy == "mean" || strategy == "confidence_interval" { // another is the default
			t.Strategy, t.StopAtPass = strategy, false
		}
		if early, isSet := n.Get("early_exit").Bool(); isSet {
			t.StopAtPass = early && t.Strategy != "mean" && t.Strategy != "confidence_interval"
		}
		t.MaxCost, _ = agentv.LookupSetting(n, "cost_limit_usd").Number()
		if t.Count = int(count); ok && count >= 1 && count <= 1000 && count == float64(t.Count) {
			if t.Count == 1 {
				return nil
			}
			return &t
		}
	}
	return nil
}

// readTexts returns a text, or the texts of a list.
func readTexts(n *yaml.Node) (texts []string) {
	for _, one := range append([]*yaml.Node{n}, n.List()...) {
		if text := one.Text(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// GoalNode returns the expected outcome, under its newest key or the one before.
func GoalNode(n *yaml.Node) *yaml.Node {
	for _, key := range []string{"criteria", "expected_outcome"} {
		if n.Get(key).Text() != "" {
			return n.Get(key)
		}
	}
	return nil
}

// readTest reads a test that contains its own input.
func (l *Loader) readTest(n *yaml.Node) {
	l.refuseRetired(n)
	c := l.NewCase(n)
	execution := n.Get("execution")
	if trials := execution.Get("trials"); trials != nil {
		l.AddLoss(TrialsUnread, rubric.Silent, trials, "")
	}
	if targets := execution.Get("targets"); targets.IsSeq() && c.Target == "" {
		c.Targets = agentv.ReadTargetNames(n)
		switch {
		case len(l.Suite.Targets) < 2:
			l.AddLoss(TargetsUnread, rubric.Silent, targets, "")
		case len(c.Targets) > 0 && !slices.ContainsFunc(c.Targets, func(name string) bool { return slices.Contains(l.Suite.Targets, name) }):
			l.AddLoss(NoTarget, rubric.Warns, targets, "")
		}
	}
	skipDefaults, _ := execution.Get("skip_defaults").Bool()
	if !skipDefaults {
		l.readInput(c, l.Root.Get("input"), l.Root.Get("input").Any())
	}
	input, refused := l.WithInputFiles(n, n.Get("input").Any())
	l.readInput(c, n.Get("input"), input)
	c.Question = rubric.ConversationText(c.Input)
	c.Expected, c.ReferenceAnswer = seed.ReadExpectedOutput(n.Get("expected_output")), seed.ReferenceAnswer(n)
	reader := l.AssertionReader()
	result := reader.ReadCase(n, l.Root)
	if rubrics := n.Get("rubrics"); rubrics.IsSeq() {
		inline := reader.ReadInlineRubric(rubrics)
		result.Graders = append(inline.Graders, result.Graders...)
		result.Losses = append(inline.Losses, result.Losses...)
		if inline.Refused != "" {
			result.Refused = inline.Refused
		}
	}
	l.Losses = append(l.Losses, result.Losses...)
	c.Graders = result.Graders
	if len(c.Graders) == 0 {
		c.Preprocessors = reader.DefaultPreprocessors()
	}
	l.AddCase(c, n, cmp.Or(refused, l.ReadConversation(c, n, nil), result.Refused))
}

// WithInputFiles returns an input that is a text as a message with the test's or the suite's
// `input_files` before the text. With any other input, or without a list of files, the test is
// refused.
func (l *Loader) WithInputFiles(n *yaml.Node, value any) (input any, refused string) {
	files := n.Get("input_files")
	skipDefaults, _ := n.Get("execution").Get("skip_defaults").Bool()
	if files.IsNull() && !skipDefaults {
		files = l.Root.Get("input_files")
	}
	if files.IsNull() {
		return value, ""
	}
	var parts []any
	for _, file := range files.List() {
		if path, ok := file.Str(); ok {
			parts = append(parts, map[string]any{"type": "file", "value": path})
		}
	}
	text, isText := value.(string)
	if !isText || len(parts) == 0 {
		l.AddLoss(InputFilesRefused, rubric.Refuses, cmp.Or(agentv.FirstValue(n, "input_files", "input", "id"), n), "")
		return value, InputFilesRefused
	}
	parts = append(parts, map[string]any{"type": "text", "value": text})
	return []any{map[string]any{"role": "user", "content": parts}}, ""
}

// AppendInput appends messages to the case's input, and returns them. It records invalid ones as
// losses at a node.
func (l *Loader) AppendInput(c *rubric.Case, at *yaml.Node, value any) (added []rubric.Message) {
	messages, ok := ReadMessages(value)
	if !ok {
		l.AddLoss(agentv.MessageInvalid, rubric.Silent, at, "")
	}
	c.Input = append(c.Input, messages...)
	return c.Input[len(c.Input)-len(messages):]
}

// readInput appends the messages in a node, whose data has its keys in source order.
func (l *Loader) readInput(c *rubric.Case, at *yaml.Node, value any) {
	added := l.AppendInput(c, at, value)
	if items := at.List(); len(items) == len(added) {
		for i, item := range items {
			added[i].Parts = seed.DataParts(item.Get("content"))
		}
	}
}

// NamesGraders reports whether a test or its suite names graders, readable or not.
func (l *Loader) NamesGraders(n *yaml.Node) bool {
	holders := []*yaml.Node{n}
	if skipDefaults, _ := n.Get("execution").Get("skip_defaults").Bool(); !skipDefaults {
		holders = append(holders, l.Root, l.Root.Get("default_test"))
	}
	return slices.ContainsFunc(holders, func(holder *yaml.Node) bool { return agentv.HasAnyKey(holder, l.GraderKeys...) })
}

// AddCase adds a case to the suite's cases or, if the loader skips it, to the skipped ones.
func (l *Loader) AddCase(c *rubric.Case, n *yaml.Node, refused string) {
	turns := n.Get("turns").List()
	if hasProgram(c.Graders) {
		own, _ := n.Get("metadata").Any().(map[string]any)
		shared, _ := l.Root.Get("metadata").Any().(map[string]any)
		if governance, isMap := l.Root.Get("governance").Any().(map[string]any); isMap {
			shared = javascript.Assign(shared, map[string]any{"governance": governance})
		}
		c.Metadata = mergeMetadata(own, shared)
	}
	var missing []string
	if c.ID == "" {
		missing = append(missing, "id")
	}
	if l.standalone && len(missing) == 0 && len(c.Input) == 0 {
		l.Suite.Skipped = append(l.Suite.Skipped, c) // a suite that includes this file has the input
		return
	}
	if len(c.Input) == 0 && !l.standalone {
		missing = append(missing, "input")
	}
	if !l.standalone && c.ExpectedOutcome == "" && len(turns) == 0 && !l.IsSpecified(l, c, n) {
		key := "criteria"
		if l.Fallback == rubric.NoGrader {
			key = "assert"
		}
		missing = append(missing, key)
	}
	if !l.keep(c, missing, refused) || l.standalone || len(c.Graders)+len(turns) > 0 || l.Fallback != rubric.NoGrader && !l.NamesGraders(n) {
		return
	}
	detail := "a judge that sees only its criteria scores it"
	if l.Fallback == rubric.NoGrader {
		detail = "its score is 1, whatever the answer"
	}
	l.Losses = append(l.Losses, rubric.Loss{Kind: NoGraders, Level: rubric.Refuses, Span: c.SelectionSpan, Detail: detail})
}

func hasProgram(graders []*rubric.Grader) bool {
	return slices.ContainsFunc(graders, func(g *rubric.Grader) bool { return g.Code != nil || hasProgram(g.Members) })
}

// mergeMetadata adds the suite's metadata to a test's own: it fills in missing keys, and precedes the items
// of lists.
func mergeMetadata(own, suite map[string]any) map[string]any {
	merged := javascript.Assign(suite, own)
	for key, shared := range suite {
		switch value := own[key].(type) {
		case []any:
			if list, isList := shared.([]any); isList {
				all := slices.Clone(list)
				for _, item := range value {
					if !slices.ContainsFunc(all, func(other any) bool { return reflect.DeepEqual(other, item) }) {
						all = append(all, item)
					}
				}
				merged[key] = all
			}
		case map[string]any:
			if more, isMap := shared.(map[string]any); isMap {
				merged[key] = mergeMetadata(value, more)
			}
		}
	}
	if len(merged) == 0 {
		return nil
	}
	return merged
}

// keep adds a case to the suite's cases or, if it lacks keys or is refused, to the skipped ones.
func (l *Loader) keep(c *rubric.Case, missing []string, refused string) (isComplete bool) {
	kind, detail := agentv.CaseIncomplete, strings.Join(missing, ", ")
	if len(missing) == 0 {
		kind, detail = agentv.CaseBroken, refused
	}
	if detail == "" {
		l.Suite.Cases = append(l.Suite.Cases, c)
		return true
	}
	l.Suite.Skipped = append(l.Suite.Skipped, c)
	l.Losses = append(l.Losses, rubric.Loss{Kind: kind, Level: rubric.Refuses, Span: c.SelectionSpan, Detail: detail})
	return false
}

// ReadThreshold returns the score that passes, from the first holder that has one. It ignores values
// outside 0 to 1.
func ReadThreshold(holders ...*yaml.Node) *float64 {
	for _, holder := range holders {
		if share, ok := holder.Get("threshold").Number(); ok && share >= 0 && share <= 1 {
			return &share
		}
	}
	return nil
}
