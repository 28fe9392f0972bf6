package judge_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
)

// TestPanel: the seats take turns, each is asked for as many samples as it would be
// alone, and a recording of the panel replays it.
func TestPanel(t *testing.T) {
	seat := func(name string) judge.Seat {
		return judge.Seat{Name: name, Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			return judge.Answer{Text: fmt.Sprint(name, q.Sample)}, nil
		})}
	}
	var recording bytes.Buffer
	ask := func(j judge.Judge) (answer []string) {
		for sample := range 4 {
			a, err := j.Ask(t.Context(), judge.Question{User: "u", Sample: sample})
			if err != nil {
				t.Fatal(err)
			}
			answer = append(answer, a.Text+" by "+a.Judge)
		}
		return answer
	}
	want := []string{"a0 by a", "b0 by b", "a1 by a", "b1 by b"}
	if got := ask(judge.Record(judge.Panel(seat("a"), seat("b")), []string{"a", "b"}, &recording)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	replay, err := judge.ReadReplay(&recording)
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(replay); !slices.Equal(got, want) {
		t.Errorf("replayed: %v", got)
	}
}
