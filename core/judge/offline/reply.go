package offline

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

type check struct {
	ID        string `json:"id"`
	Satisfied *bool  `json:"satisfied,omitempty"`
	Score     *int   `json:"score,omitempty"`
	Reasoning string `json:"reasoning"`
}

type checksReply struct {
	Checks  []check `json:"checks"`
	Overall string  `json:"overall_reasoning"`
}

type freeformReply struct {
	Score     float64  `json:"score"` // 0–1, two decimals
	Hits      []string `json:"hits"`
	Misses    []string `json:"misses"`
	Reasoning string   `json:"reasoning"`
}

// checks looks for each item in all of the submission, which takes a second where
// that has megabytes. It leaves out the rest of the items once ctx is done.
func checks(ctx context.Context, s *submission, items []judge.Item) checksReply {
	reply := checksReply{Checks: make([]check, 0, len(items))}
	good := 0
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		found := s.look(wishOf(item))
		satisfied := found.satisfied()
		c := check{ID: item.ID, Reasoning: found.String() + caveat}
		if item.Ranged {
			score := snap(found.score(), item.Bands)
			c.Score = &score
		} else {
			c.Satisfied = &satisfied
		}
		if satisfied {
			good++
		}
		reply.Checks = append(reply.Checks, c)
	}
	reply.Overall = fmt.Sprintf("evidence for %d of %d criteria; %s", good, len(items), Notice)
	return reply
}

// wishOf is what an item asks for: its text, or what its highest band says when
// the text is only a heading, such as "Accuracy".
func wishOf(item judge.Item) string {
	if len(item.Bands) == 0 || len(words(item.Text)) > 1 {
		return item.Text
	}
	_, text, _ := strings.Cut(item.Bands[len(item.Bands)-1], ": ")
	if strings.TrimSpace(text) == "" {
		return item.Text
	}
	return text
}

// most is how many hits and misses a free-form reply may name.
const most = 4

// freeform judges the expected outcome, or the reference answer where the
// outcome says nothing that can be looked for.
func freeform(s *submission, b judge.Brief) freeformReply {
	found := s.look(b.Expected)
	if found.wanted+found.banned == 0 {
		found = s.look(b.Reference)
	}
	part, whole := found.share()
	reply := freeformReply{
		Score: math.Round(100*float64(part)/float64(whole)) / 100,
		Hits:  found.hits(), Misses: found.misses(), Reasoning: found.String() + "; " + Notice,
	}
	reply.Hits, reply.Misses = reply.Hits[:min(most, len(reply.Hits))], reply.Misses[:min(most, len(reply.Misses))]
	return reply
}
