package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// domain is the case as the domain has it.
func (c Case) domain() *rubric.Case {
	d := domainCase(c.ID, c.Conversation)
	if c.Scenario != nil {
		d.Question = c.Scenario.StartingPrompt
	}
	d.Span, d.IDSpan, d.Head = c.Span, c.IDSpan, Head(c.IDSpan, c.Span)
	return d
}

// Head is the short span by which a case is shown that has its id in one span, if it
// has one, and is all of another.
func Head(id, whole text.Span) text.Span {
	if id.Len() > 0 {
		return id
	}
	return text.Span{Start: whole.Start, End: min(whole.Start+1, whole.End)}
}

// domainCase has what the user says in a conversation, and what the agent says,
// or should say, in the end of each turn.
func domainCase(id string, turns []metric.Invocation) *rubric.Case {
	var asked []string
	for _, t := range turns {
		if said, _ := t.User.Text(); said != "" {
			asked = append(asked, said)
		}
	}
	return &rubric.Case{ID: id, Question: strings.Join(asked, "\n\n"), ReferenceAnswer: metric.Answers(turns)}
}
