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
	d.Span, d.IDSpan, d.Head = c.Span, c.IDSpan, c.IDSpan
	if d.Head.Len() == 0 {
		d.Head = text.Span{Start: d.Span.Start, End: min(d.Span.Start+1, d.Span.End)}
	}
	return d
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
