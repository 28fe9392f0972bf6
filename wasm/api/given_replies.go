package api

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rubric-ls/rubric/core/judge"
)

// Question is what a judge is asked. Key is what its reply is given under; Schema is
// null where any text will do.
type Question struct {
	Key    string          `json:"key"`
	System string          `json:"system"`
	User   string          `json:"user"`
	Schema json.RawMessage `json:"schema"`
	Sample int             `json:"sample,omitempty"` // which of several independent answers is wanted, from 0
}

// GivenReplies is a judge whose replies are there already: a list of texts in the order
// of the questions, or an object of texts by the questions' keys. It is for one
// question at a time.
type GivenReplies struct {
	byKey      map[string]string
	inOrder    []string
	asked      int
	unanswered []judge.Question
}

// ParseReplies reads such replies from JSON; none at all is none.
func ParseReplies(raw json.RawMessage) (*GivenReplies, error) {
	g := &GivenReplies{}
	if len(raw) == 0 || json.Unmarshal(raw, &g.inOrder) == nil || json.Unmarshal(raw, &g.byKey) == nil {
		return g, nil
	}
	return nil, failf(BadParams, "`replies` is a list of texts, or an object of texts by the questions' keys")
}

// Ask gives the reply to a question, and keeps the question if there is none.
func (g *GivenReplies) Ask(_ context.Context, q judge.Question) (judge.Answer, error) {
	if reply, ok := g.byKey[q.Fingerprint()]; ok {
		return judge.Answer{Text: reply}, nil
	}
	if g.asked++; g.asked <= len(g.inOrder) {
		return judge.Answer{Text: g.inOrder[g.asked-1]}, nil
	}
	g.unanswered = append(g.unanswered, q)
	return judge.Answer{}, fmt.Errorf("no reply is given to question %d", g.asked)
}

// Questions are those that had no reply; never nil.
func (g *GivenReplies) Questions() []Question { return toQuestions(g.unanswered) }

func toQuestions(open []judge.Question) []Question {
	all := []Question{}
	for _, q := range open {
		all = append(all, Question{q.Fingerprint(), q.System, q.User, q.Schema, q.Sample})
	}
	return all
}
