package grade_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
)

// TestAsk: a dialect's grader asks its own judge, or else the run's.
func TestAsk(t *testing.T) {
	says := func(reply string) judge.Judge { return &script{replies: []string{reply}} }
	own := map[string]judge.Judge{"own": says("from its own")}
	for _, c := range []struct {
		name  string
		ports grade.Ports
		judge string
		reply string
		err   string
	}{
		{"the run's", grade.Ports{Judge: says("from the run's"), OwnJudges: own}, "", "from the run's", ""},
		{"its own", grade.Ports{Judge: says("from the run's"), OwnJudges: own}, "own", "from its own", ""},
		{"none", grade.Ports{}, "", "", "no judge is configured"},
		{"one that is away", grade.Ports{Judge: says("away")}, "", "", "the judge gave no answer: dial: "},
	} {
		ports := c.ports.ForGrader(&rubric.Grader{Judge: c.judge})
		a, _, err := ports.AskUntilUsable(t.Context(), judge.Question{}, 1, func(*judge.Answer) []string { return nil })
		if a.Text != c.reply || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.name, a.Text, err)
		}
	}
}

// TestRun: a dialect's program reads JSON, and does not run on what JSON cannot hold.
func TestRun(t *testing.T) {
	var stdin []byte
	ports := grade.Ports{Exec: listening(&stdin)}
	if stdout, err := ports.Run(t.Context(), []string{"x"}, "", map[string]any{"answer": "hi"}); err != nil || stdout != "true" || !strings.Contains(string(stdin), `"hi"`) {
		t.Errorf("%q, %v, on %s", stdout, err, stdin)
	}
	stdin = nil
	if _, err := ports.Run(t.Context(), []string{"x"}, "", math.NaN()); err == nil || stdin != nil {
		t.Errorf("%v, on %s", err, stdin)
	}
}
