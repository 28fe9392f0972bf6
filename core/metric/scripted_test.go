package metric_test

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
)

// scripted replies with one text after another, then with the last for ever; to
// one that is "!" it fails. It keeps what it was asked.
type scripted struct {
	mu      sync.Mutex
	replies []string
	asked   []judge.Question
}

func says(replies ...string) *scripted { return &scripted{replies: replies} }

func (s *scripted) Ask(_ context.Context, q judge.Question) (judge.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, q)
	reply := s.replies[min(len(s.asked), len(s.replies))-1]
	if reply == "!" {
		return judge.Answer{}, fmt.Errorf("status 503: %w", judge.ErrUnreachable)
	}
	return judge.Answer{Text: reply, Model: "scripted"}, nil
}

// text is a content of texts.
func text(parts ...string) *metric.Content {
	c := &metric.Content{}
	for _, p := range parts {
		c.Parts = append(c.Parts, metric.Part{Text: p})
	}
	return c
}

// turn returns a question and its answer.
func turn(asked, answer string) metric.Invocation {
	return metric.Invocation{User: text(asked), Final: text(answer)}
}

func one(actual metric.Invocation) metric.Conversation {
	return metric.Conversation{Actual: []metric.Invocation{actual}}
}

func against(actual, expected metric.Invocation) metric.Conversation {
	return metric.Conversation{Actual: []metric.Invocation{actual}, Expected: []metric.Invocation{expected}}
}

// block is a judge's verdict on one property.
func block(id, property, verdict string) string {
	return "ID: " + id + "\nProperty: " + property + "\nEvidence: e\nRationale: because of " + id + "\nVerdict: " + verdict + "\n"
}

// claim is a judge's label of one sentence.
func claim(sentence, label, supporting, contradicting string) string {
	return strings.Join([]string{"sentence: " + sentence, "label: " + label, "rationale: r", "supporting_excerpt: " + supporting, "contradicting_excerpt: " + contradicting}, "\n") + "\n"
}

func show(score *float64) string {
	if score == nil {
		return "none"
	}
	return fmt.Sprintf("%.6g", *score)
}
