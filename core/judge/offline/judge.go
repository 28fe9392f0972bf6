package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// Name is what results call this judge.
const Name = "offline"

// Notice is what stands wherever its verdicts are shown.
const Notice = "graded by a lexical stand-in, not a model: it looks for the words of each criterion and understands nothing"

// Judge is the offline judge. It is safe for concurrent use: it has no state.
type Judge struct{}

type check struct {
	ID        string `json:"id"`
	Satisfied *bool  `json:"satisfied,omitempty"`
	Score     *int   `json:"score,omitempty"`
	Reasoning string `json:"reasoning"`
}

type rubricReply struct {
	Checks  []check `json:"checks"`
	Overall string  `json:"overall_reasoning"`
}

type freeReply struct {
	Score     float64  `json:"score"`
	Hits      []string `json:"hits"`
	Misses    []string `json:"misses"`
	Reasoning string   `json:"reasoning"`
}

// Ask answers from the question's brief. It fails only when ctx is done.
func (Judge) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	if err := ctx.Err(); err != nil {
		return judge.Answer{}, err
	}
	s := read(q.Brief.Submission)
	var reply any
	if len(q.Brief.Items) == 0 {
		reply = freeform(s, q.Brief)
	} else {
		reply = rubric(s, q.Brief.Items)
	}
	text, err := json.Marshal(reply)
	return judge.Answer{Text: string(text), Model: Name + " (lexical stand-in)"}, err
}

func rubric(s *submission, items []judge.Item) rubricReply {
	reply := rubricReply{Checks: make([]check, 0, len(items))}
	good := 0
	for _, item := range items {
		found := s.look(wish(item))
		c := check{ID: item.ID, Reasoning: found.String()}
		if item.Ranged {
			score := found.score()
			c.Score = &score
		} else {
			satisfied := found.satisfied()
			c.Satisfied = &satisfied
		}
		if found.satisfied() {
			good++
		}
		reply.Checks = append(reply.Checks, c)
	}
	reply.Overall = fmt.Sprintf("evidence for %d of %d criteria (%s)", good, len(items), Notice)
	return reply
}

// wish is what an item asks for: its text, or what its highest band says.
func wish(item judge.Item) string {
	if item.Text != "" || len(item.Bands) == 0 {
		return item.Text
	}
	_, text, _ := strings.Cut(item.Bands[len(item.Bands)-1], ": ")
	return text
}

// most is how many hits and misses a free-form reply may name.
const most = 4

func freeform(s *submission, b judge.Brief) freeReply {
	found := s.look(b.Expected)
	reply := freeReply{
		Score: found.share(), Hits: []string{}, Misses: []string{}, Reasoning: found.String() + " (" + Notice + ")",
	}
	for _, hit := range found.found {
		if len(reply.Hits) < most {
			reply.Hits = append(reply.Hits, hit)
		}
	}
	for _, miss := range found.missed {
		if len(reply.Misses) < most {
			reply.Misses = append(reply.Misses, miss)
		}
	}
	return reply
}
