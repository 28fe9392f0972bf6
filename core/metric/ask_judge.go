package metric

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

var errNoJudge = errors.New("no judge was given to ask")

// askJudge puts one question as often as samples says, a few at a time, and gives the
// replies in the order of the samples. One that fails fails them all: ADK throws
// the others away too. Beside the error are those that were paid for.
func (e evaluation) askJudge(ctx context.Context, q judge.Question, samples int) ([]Reply, error) {
	if e.ports.Judge == nil {
		return nil, errNoJudge
	}
	replies := make([]Reply, samples)
	failures := make([]error, samples)
	slots := make(chan struct{}, max(1, e.criterion.Judge.Parallel))
	var wg sync.WaitGroup
	for i := range samples {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					failures[i] = fmt.Errorf("the judge panicked: %v", p)
				}
				<-slots
			}()
			sampleQuestion := q
			sampleQuestion.Sample = i
			a, err := e.ports.Judge.Ask(ctx, sampleQuestion)
			sampleQuestion.Usable = nil // so that results can be compared
			replies[i] = Reply{Question: sampleQuestion, Text: a.Text, Model: a.Model, Usage: a.Usage, Cached: a.Cached}
			failures[i] = err
		})
	}
	wg.Wait()
	for _, err := range failures {
		if err != nil {
			return paidReplies(replies, failures), fmt.Errorf("the judge gave no answer: %w", err)
		}
	}
	return replies, nil
}

// paidReplies are the replies that there are, and the refusals that took something.
func paidReplies(replies []Reply, failures []error) (all []Reply) {
	for i, r := range replies {
		if failures[i] != nil && r.Usage == (judge.Usage{}) {
			continue
		}
		if failures[i] != nil {
			r.Problems = []string{failures[i].Error()}
		}
		all = append(all, r)
	}
	return all
}

// isOffline reports whether the offline stand-in answered, which reads a question's
// brief, not its prose, and has a reply format of its own.
func (r Reply) isOffline() bool { return strings.HasPrefix(r.Model, offline.Name+" ") }

// offlineNotice is what stands beside results that the stand-in had a part in.
func offlineNotice(turns []InvocationResult) string {
	for _, t := range turns {
		for _, r := range t.Replies {
			if r.isOffline() {
				return offline.Notice
			}
		}
	}
	return ""
}
