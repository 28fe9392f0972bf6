package conformance

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
)

// decode decodes a case's input or expectation.
func decode[T any](t *testing.T, raw json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// scripted replies with one text after another, then with the last for ever.
type scripted struct {
	replies []string
	calls   int
}

func (s *scripted) Ask(context.Context, judge.Question) (judge.Answer, error) {
	s.calls++
	if len(s.replies) == 0 {
		return judge.Answer{}, judge.ErrUnreachable
	}
	return judge.Answer{Text: s.replies[min(s.calls, len(s.replies))-1]}, nil
}

// newScripted reads a reply, or a list of them, each a text or an object.
func newScripted(raw json.RawMessage) *scripted {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	s := &scripted{}
	for _, r := range list {
		var text string
		if json.Unmarshal(r, &text) != nil {
			text = string(r)
		}
		s.replies = append(s.replies, text)
	}
	return s
}
