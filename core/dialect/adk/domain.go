package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// toDomain is the case as the domain has it.
func (c Case) toDomain() *rubric.Case {
	d := newDomainCase(c.ID, c.Conversation)
	if c.Scenario != nil {
		d.Question = c.Scenario.StartingPrompt
	}
	d.Span, d.IDSpan, d.SelectionSpan = c.Span, c.IDSpan, SelectionSpan(c.IDSpan, c.Span)
	return d
}

// SelectionSpan is the short span by which a case is shown that has its id in one span, if it
// has one, and is all of another.
func SelectionSpan(id, whole text.Span) text.Span {
	if id.Len() > 0 {
		return id
	}
	return text.Span{Start: whole.Start, End: min(whole.Start+1, whole.End)}
}

// newDomainCase has what the user says in a conversation, and what the agent says,
// or should say, in the end of each turn.
func newDomainCase(id string, turns []metric.Invocation) *rubric.Case {
	var questions []string
	for _, t := range turns {
		if question, _ := t.User.Text(); question != "" {
			questions = append(questions, question)
		}
	}
	return &rubric.Case{ID: id, Question: strings.Join(questions, "\n\n"), ReferenceAnswer: metric.FinalAnswers(turns)}
}
