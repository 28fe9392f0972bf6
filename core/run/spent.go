package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// Spent is what models took, as far as it is known.
type Spent struct {
	Calls    int     `json:"calls"`          // answers of models, that each cost something
	Kept     int     `json:"kept,omitempty"` // answers that were there before, for which nothing was paid
	Input    int     `json:"input_tokens"`
	Output   int     `json:"output_tokens"`
	Cost     float64 `json:"cost_usd"`                 // of the answers whose cost is known
	Unpriced int     `json:"calls_unpriced,omitempty"` // the others
}

// Add adds what another took.
func (s *Spent) Add(o Spent) {
	s.Calls, s.Kept, s.Unpriced = s.Calls+o.Calls, s.Kept+o.Kept, s.Unpriced+o.Unpriced
	s.Input, s.Output, s.Cost = s.Input+o.Input, s.Output+o.Output, s.Cost+o.Cost
}

func (s *Spent) answer(model string, u judge.Usage, kept bool) {
	switch {
	case model == "" || strings.HasPrefix(model, offline.Name):
	case kept:
		s.Kept++
	case u.Cost == nil:
		s.Add(Spent{Calls: 1, Input: u.Input, Output: u.Output, Unpriced: 1})
	default:
		s.Add(Spent{Calls: 1, Input: u.Input, Output: u.Output, Cost: *u.Cost})
	}
}

// String is what was spent in words; "" if nothing was.
func (s Spent) String() string {
	if s.Calls+s.Kept == 0 {
		return ""
	}
	said := counted(s.Calls, "call")
	if s.Kept > 0 {
		said += " and " + counted(s.Kept, "kept answer")
	}
	if s.Input+s.Output > 0 {
		said += fmt.Sprintf(", %d tokens read and %d written", s.Input, s.Output)
	}
	switch {
	case s.Calls == 0:
	case s.Unpriced == s.Calls:
		said += ", cost unknown"
	case s.Unpriced > 0:
		said += fmt.Sprintf(", $%.4f and %s of unknown cost", s.Cost, counted(s.Unpriced, "call"))
	default:
		said += fmt.Sprintf(", $%.4f", s.Cost)
	}
	return said
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Spent is what the judges of a case took.
func (r Record) Spent() (s Spent) {
	each(r.Graders, func(g *GraderRecord) {
		for _, reply := range g.Replies {
			s.answer(reply.Model, reply.Usage, reply.Kept)
		}
		if g.Metric == nil {
			return
		}
		replies := g.Metric.Replies
		for _, t := range g.Metric.Invocations {
			replies = append(slices.Clip(replies), t.Replies...)
		}
		for _, reply := range replies {
			s.answer(reply.Model, reply.Usage, reply.Kept)
		}
	})
	return s
}

// SpentByTarget is what the target's models took to answer a case.
func (r Record) SpentByTarget() (s Spent) {
	t := r.TraceSummary
	if t == nil || t.TokenUsage == nil && t.CostUSD == nil {
		return s
	}
	if s.Calls = 1; t.LLMCalls != nil {
		s.Calls = *t.LLMCalls
	}
	if t.TokenUsage != nil {
		s.Input, s.Output = int(t.TokenUsage.Input), int(t.TokenUsage.Output)
	}
	if t.CostUSD != nil {
		s.Cost = *t.CostUSD
	} else {
		s.Unpriced = s.Calls
	}
	return s
}
