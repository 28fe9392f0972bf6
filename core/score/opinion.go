package score

import (
	"fmt"
	"math"
	"strings"
)

// Opinion is what one sample said of a criterion. Exactly one of Satisfied, Score
// and Ungraded is set.
type Opinion struct {
	Judge     string   `json:"judge,omitempty"` // of a panel; "" for the one that there is
	Sample    int      `json:"sample"`          // which, from 0
	Satisfied *bool    `json:"satisfied,omitempty"`
	Score     *float64 `json:"score,omitempty"` // 0–10
	Reasoning string   `json:"reasoning,omitempty"`
	Ungraded  string   `json:"ungraded,omitempty"`
}

// IsContested reports whether the samples did not all give this very grade.
func (g Grade) IsContested() bool { return g.Agreement != nil && *g.Agreement < 1 }

// VoteSummary says how the samples voted, and of a panel who said what; "" where one
// judge was asked once.
func (g Grade) VoteSummary() string {
	if g.Agreement == nil {
		return ""
	}
	n := len(g.Opinions)
	summary := fmt.Sprintf("%.0f%% of samples agree", *g.Agreement*100)
	if n > 0 {
		summary = fmt.Sprintf("%.0f of %d agree", math.Round(*g.Agreement*float64(n)), n)
	}
	if !g.IsContested() {
		return summary
	}
	var each []string
	for _, o := range g.Opinions {
		if o.Judge != "" {
			each = append(each, o.Judge+" "+o.summary())
		} else if o.Ungraded != "" {
			each = append(each, "one gave no grade")
		}
	}
	if each == nil {
		return summary
	}
	return summary + ": " + strings.Join(each, ", ")
}

// summary is the opinion in a word.
func (o Opinion) summary() string {
	switch {
	case o.Ungraded != "":
		return "nothing"
	case o.Score != nil:
		return formatNumber(*o.Score)
	case o.Satisfied != nil && *o.Satisfied:
		return "yes"
	}
	return "no"
}
