package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// Suite is the set's cases as reports and editors name them. What is measured of
// them, and by what, the domain has no words for; see [Trial].
func (s Set) Suite() *rubric.Suite {
	suite := &rubric.Suite{Dialect: Name, Name: s.ID, Description: s.Description}
	for _, own := range s.Cases {
		c := domainCase(own.ID, own.Conversation)
		if own.Scenario != nil {
			c.Question = own.Scenario.StartingPrompt
		}
		c.Span, c.IDSpan, c.Head = own.Span, own.IDSpan, own.IDSpan
		if c.Head.Len() == 0 {
			c.Head = text.Span{Start: c.Span.Start, End: min(c.Span.Start+1, c.Span.End)}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
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
