package v4

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// conversationMode is the only mode of a test.
const conversationMode = "conversation"

// ReadConversation reads a test's turns, and puts their graders before the test's own. It returns
// the kind of loss for which the loader refuses the test, or "".
func (l *Loader) ReadConversation(c *rubric.Case, n *yaml.Node, fill Fill) (refused string) {
	mode, turns := n.Get("mode"), n.Get("turns")
	name := mode.Text()
	hasTurns := len(turns.List()) > 0
	switch {
	case mode.IsNull() && !hasTurns:
		return ""
	case name != conversationMode && !mode.IsNull():
		l.AddLoss(ModeUnknown, rubric.Warns, mode, name)
		c.Conversation = &rubric.Conversation{Unsupported: fmt.Sprintf("the mode `%s` is not supported", name)}
		return ""
	case mode.IsNull():
		l.AddLoss(TurnsWithoutMode, rubric.Refuses, turns, "")
		c.Conversation = &rubric.Conversation{Unsupported: "it has `turns` without `mode: conversation`"}
		return ""
	case !hasTurns:
		l.AddLoss(ModeWithoutTurns, rubric.Refuses, mode, "")
		c.Conversation = &rubric.Conversation{Unsupported: "it has `mode: conversation` without `turns`"}
		return ""
	}
	talk := &rubric.Conversation{}
	if talk.Aggregation = n.Get("aggregation").Text(); talk.Aggregation != "min" && talk.Aggregation != "max" {
		talk.Aggregation = ""
	}
	talk.StopAtFailure = n.Get("on_turn_failure").Text() == "stop"
	if size, ok := n.Get("window_size").Number(); ok && size >= 1 {
		talk.Window = int(size)
	}
	var graders []*rubric.Grader
	for i, turn := range turns.List() {
		g, refusal := l.readTurnGrader(turn, i)
		refused = cmp.Or(refused, refusal)
		graders = append(graders, g)
		talk.Turns = append(talk.Turns, l.readTurnInput(turn, fill))
		if len(talk.Turns[i].Input) == 0 && talk.Unsupported == "" {
			talk.Unsupported = fmt.Sprintf("turn %d has no input", i+1)
		}
	}
	graders = fill.Graders(graders)
	if own := c.Graders; len(own) > 0 {
		span := own[0].Span
		for _, g := range own {
			span = span.Cover(g.Span)
		}
		graders = append(graders, &rubric.Grader{
			Name: conversationMode, Kind: rubric.Transcript, Weight: 1, Members: own, Span: span, SelectionSpan: own[0].SelectionSpan,
			Assert: &rubric.Assertion{Type: conversationMode},
		})
	}
	c.Conversation, c.Graders = talk, graders
	c.Question = rubric.ConversationText(c.Asked())
	return refused
}

// readTurnGrader returns the grader of one turn. Its members have the turn in their names, because
// grades belong to graders by name. A judge grades a turn that has only an expected output.
func (l *Loader) readTurnGrader(turn *yaml.Node, i int) (g *rubric.Grader, refused string) {
	span := l.SpanOf(turn)
	g = &rubric.Grader{
		Name: fmt.Sprintf("turn-%d", i+1), Kind: rubric.Turn, Weight: 1, Span: span, SelectionSpan: span,
		Assert: &rubric.Assertion{Type: string(rubric.Turn)},
	}
	result := l.AssertionReader().ReadCase(turn, nil)
	l.Losses = append(l.Losses, result.Losses...)
	for _, m := range result.Graders {
		m.Name = g.Name + "/" + m.Name
		if m.Inline { // the texts of a turn count as one assertion
			m.Weight = 1
		}
	}
	g.Members = result.Graders
	for _, item := range turn.Get("assertions").List() {
		if typ := item.Get("type").Text(); typ == "rubrics" || typ == "rubric" || strings.Contains(typ, "_") {
			l.AddLoss(TurnType, rubric.Refuses, item.Get("type"), typ)
		}
	}
	if expected := turn.Get("expected_output"); len(g.Members) == 0 && l.Fallback == rubric.LLMJudge && javascript.IsTrue(expected.Any()) {
		judge := *g
		judge.Name, judge.Kind, judge.Assert = g.Name+"/llm-grader", rubric.LLMJudge, &rubric.Assertion{Type: "llm-grader"}
		g.Members = []*rubric.Grader{&judge}
	}
	return g, result.Refused
}

// readTurnInput reads the user's messages and the expected answer of a turn.
func (l *Loader) readTurnInput(turn *yaml.Node, fill Fill) rubric.TurnInput {
	value := fill.value(turn.Get("input").Any())
	in := rubric.TurnInput{Expected: seed.ReadExpectedOutput(turn.Get("expected_output")), ReferenceAnswer: seed.ReferenceAnswer(turn)}
	if parts, isList := value.([]any); isList && !isMessageValue(parts) {
		value = map[string]any{"role": "user", "content": parts}
	}
	messages, ok := ReadMessages(value)
	if !ok {
		l.AddLoss(agentv.MessageInvalid, rubric.Silent, turn, "")
	}
	in.Input = messages
	for i := range in.Expected {
		in.Expected[i].Content = fill.value(in.Expected[i].Content)
	}
	fill.String(&in.ReferenceAnswer)
	return in
}

// isMessageValue reports whether a list holds messages rather than parts of one.
func isMessageValue(items []any) bool {
	for _, item := range items {
		fields, _ := item.(map[string]any)
		if _, hasRole := fields["role"]; hasRole {
			return true
		}
	}
	return false
}
