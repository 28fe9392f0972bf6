package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// ModelUsage counts what models used, as far as it is known.
type ModelUsage struct {
	Calls    int     `json:"calls"`                    // replies of models that were paid for
	Repeated int     `json:"calls_repeated,omitempty"` // of these, because the reply before was unusable
	Cached   int     `json:"kept,omitempty"`           // replies from a cache or a recording, for which nothing was paid
	Input    int     `json:"input_tokens"`
	Output   int     `json:"output_tokens"`
	Cost     float64 `json:"cost_usd"`                 // in US dollars, of the replies whose cost is known
	Unpriced int     `json:"calls_unpriced,omitempty"` // replies whose cost is unknown
}

// Add adds o to u.
func (u *ModelUsage) Add(o ModelUsage) {
	u.Calls, u.Repeated, u.Cached, u.Unpriced = u.Calls+o.Calls, u.Repeated+o.Repeated, u.Cached+o.Cached, u.Unpriced+o.Unpriced
	u.Input, u.Output, u.Cost = u.Input+o.Input, u.Output+o.Output, u.Cost+o.Cost
}

func (u *ModelUsage) addReply(model string, attempt int, usage judge.Usage, cached bool) {
	if attempt > 0 && !cached && model != "" {
		u.Repeated++
	}
	switch {
	case model == "" || strings.HasPrefix(model, offline.Name):
	case cached:
		u.Cached++
	case usage.Cost == nil:
		u.Add(ModelUsage{Calls: 1, Input: usage.Input, Output: usage.Output, Unpriced: 1})
	default:
		u.Add(ModelUsage{Calls: 1, Input: usage.Input, Output: usage.Output, Cost: *usage.Cost})
	}
}

// String describes the usage; it is "" if no model was asked.
func (u ModelUsage) String() string {
	if u.Calls+u.Cached == 0 {
		return ""
	}
	text := diag.CountNoun(u.Calls, "call")
	if u.Repeated > 0 {
		text += fmt.Sprintf(" (%d repeated after an unusable reply)", u.Repeated)
	}
	if u.Cached > 0 {
		text += " and " + diag.CountNoun(u.Cached, "cached answer")
	}
	if u.Input+u.Output > 0 {
		text += fmt.Sprintf(", %d tokens read and %d written", u.Input, u.Output)
	}
	switch {
	case u.Calls == 0:
	case u.Unpriced == u.Calls:
		text += ", cost unknown"
	case u.Unpriced > 0:
		text += fmt.Sprintf(", $%.4f and %s of unknown cost", u.Cost, diag.CountNoun(u.Unpriced, "call"))
	default:
		text += fmt.Sprintf(", $%.4f", u.Cost)
	}
	return text
}

// JudgeUsage returns what the judges of the case used, and the model that plays its user.
func (r Record) JudgeUsage() (u ModelUsage) {
	if u = r.Trials.usage(func(t Trial) ModelUsage { return t.JudgeUsage }); u != (ModelUsage{}) {
		return u
	}
	if r.Recorded != nil {
		for _, reply := range r.Recorded.Replies {
			u.addReply(reply.Model, 0, reply.Usage, reply.Cached)
		}
	}
	eachGrader(r.Graders, func(g *GraderRecord) {
		for _, reply := range g.Replies {
			u.addReply(reply.Model, reply.Attempt, reply.Usage, reply.Cached)
		}
		if g.Metric == nil {
			return
		}
		replies := g.Metric.Replies
		for _, t := range g.Metric.Invocations {
			replies = append(slices.Clip(replies), t.Replies...)
		}
		for _, reply := range replies {
			u.addReply(reply.Model, 0, reply.Usage, reply.Cached)
		}
	})
	return u
}

func (t *Trials) usage(of func(Trial) ModelUsage) (u ModelUsage) {
	if t != nil {
		for _, trial := range t.Runs {
			u.Add(of(trial))
		}
	}
	return u
}

// TargetUsage returns what the target's models used to answer the case.
func (r Record) TargetUsage() (u ModelUsage) {
	if u = r.Trials.usage(func(t Trial) ModelUsage { return t.TargetUsage }); u != (ModelUsage{}) {
		return u
	}
	t := r.TraceSummary
	if t == nil || t.TokenUsage == nil && t.CostUSD == nil {
		return u
	}
	if u.Calls = 1; t.LLMCalls != nil {
		u.Calls = *t.LLMCalls
	}
	if r.SharedAnswer {
		return ModelUsage{Cached: u.Calls}
	}
	if t.TokenUsage != nil {
		u.Input, u.Output = int(t.TokenUsage.Input), int(t.TokenUsage.Output)
	}
	if t.CostUSD != nil {
		u.Cost = *t.CostUSD
	} else {
		u.Unpriced = u.Calls
	}
	return u
}
