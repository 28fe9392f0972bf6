// Package offline is a judge that needs no model. It decides only what can be decided
// mechanically:
//
//   - mentions, contains, includes, names, quotes, says, states or cites `text` or 30 days; does not
//     contain `text`
//   - at most, at least, exactly, fewer than or more than so many words, sentences or items
//   - is valid JSON, also with the keys `a` and `b`
//   - matches /pattern/, and two of these joined by "and"
//
// The form must be the whole criterion. Every other criterion is ungraded with the reason
// [NeedsModel], and so is one where the submission leaves a doubt; its reason names the doubt first.
// An amount that is missing is such a doubt, since it may be written in another way, while quoted text
// that is missing is decided. A criterion that is
// scored 0 to 10 is decided only if the texts of all its bands are of these forms.
package offline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

const (
	// Name is what results call this judge.
	Name = "offline"
	// Notice stands in reports next to its verdicts.
	Notice = "graded by literal checks, not by a model: quoted text, numbers, lengths, JSON and patterns are decided, and everything else is ungraded"
	// NeedsModel is the reason why this judge leaves a criterion ungraded.
	NeedsModel = "it " + needsModel
	needsModel = "needs a model"                 // ends longer reasons
	Caveat     = " (literal check, not a model)" // after every reasoning
)

// IsLeft reports whether a reason says that this judge leaves something to a model.
func IsLeft(reason string) bool { return strings.HasSuffix(reason, needsModel) }

// Replied reports whether the model that a reply names is the offline judge. It reads a question's brief
// instead of its prose and has its own reply format.
func Replied(model string) bool { return strings.HasPrefix(model, Name+" ") }

// Judge is the offline judge. It has no state and is safe for concurrent use.
type Judge struct{}

// Ask answers from the question's brief. It fails when ctx is done or when the
// question's schema has neither checks nor a score.
func (Judge) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	var reply map[string]any
	switch {
	case len(q.Brief.Items) > 0:
		reply = gradeItems(q.Brief)
	case len(q.Schema) == 0 || strings.Contains(string(q.Schema), `"score"`):
		reply = gradeFreely(q.Brief)
	default:
		return judge.Answer{}, errors.New("judge offline: the question asks neither for grades of criteria nor for a `score`")
	}
	if ctx.Err() != nil {
		return judge.Answer{}, context.Cause(ctx)
	}
	text, err := json.Marshal(reply)
	return judge.Answer{Text: string(text), Model: Name + Caveat}, err
}

func gradeItems(b judge.Brief) map[string]any {
	checks, ungraded := []map[string]any{}, map[string]string{} // ungraded has the reasons, by id
	for _, item := range b.Items {
		d := decide(item.Text, b.Submission)
		score, why := rate(item.Bands, b.Submission)
		if !item.Ranged && (d.verdict == yes || d.verdict == no && !item.SatisfiedByDefault) { // to lack is not to contradict
			checks = append(checks, map[string]any{"id": item.ID, "satisfied": d.verdict == yes, "reasoning": d.why + Caveat})
		} else if item.Ranged && score != nil {
			checks = append(checks, map[string]any{"id": item.ID, "score": *score, "reasoning": why + Caveat})
		} else if d.verdict == unknown {
			ungraded[item.ID] = cmp.Or(d.why, NeedsModel)
		} else if item.Ranged {
			ungraded[item.ID] = d.why + "; its score " + needsModel
		} else {
			ungraded[item.ID] = d.why + "; whether that contradicts the criterion " + needsModel
		}
	}
	return map[string]any{"checks": checks, "ungraded": ungraded, "overall_reasoning": Notice}
}

// rate returns the lowest whole score of the only band whose text holds, if every other
// band is decided and does not. Bands are labelled as in [judge.Item].
func rate(bands []string, submission string) (score *int, why string) {
	for _, band := range bands {
		scores, text, _ := strings.Cut(band, ": ")
		d := decide(text, submission)
		if d.verdict == no {
			continue
		}
		low, _, _ := strings.Cut(scores, "–")
		lowest, err := strconv.ParseFloat(low, 64)
		if d.verdict == unknown || score != nil || err != nil || !(lowest >= 0 && lowest <= 10) {
			return nil, ""
		}
		score, why = new(int(math.Ceil(lowest))), d.why
		if strings.Contains(scores, "–") {
			why = fmt.Sprintf("%s; %d is the lowest score of %s", why, *score, scores)
		}
	}
	return score, why
}

// gradeFreely decides the expected outcome as if it were a criterion.
func gradeFreely(b judge.Brief) map[string]any {
	d := decide(b.Expected, b.Submission)
	if d.verdict == unknown {
		return map[string]any{"ungraded": cmp.Or(d.why, NeedsModel)}
	}
	return map[string]any{"score": map[int]int{yes: 1, no: 0}[d.verdict], "reasoning": d.why + Caveat}
}
