package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text                 string
		start, indent, width int
		want                 string
	}{
		{"one two three", 0, 2, 0, "one two three"},
		{"the quick brown fox jumps over it", 4, 6, 26, "the quick brown fox\n      jumps over it"},
		{"a 顧客対応の品質は高い顧客対応の品質は高い", 0, 0, 20, "a\n顧客対応の品質は高い\n顧客対応の品質は高い"},
		{strings.Repeat("x", 45), 0, 0, 20, strings.Repeat("x", 20) + "\n" + strings.Repeat("x", 20) + "\nxxxxx"},
		{"narrow screens keep twenty columns", 30, 10, 12, "\n          narrow screens keep\n          twenty columns"},
	} {
		if got := report.Wrap(c.text, c.start, c.indent, c.width); got != c.want {
			t.Errorf("%q from %d in %d of %d columns:\n%s\nwant\n%s", c.text, c.start, c.indent, c.width, got, c.want)
		}
	}
}

func TestFormatTable(t *testing.T) {
	got := report.FormatTable([][]string{{"NAME", "N"}, {"東京タワー", "1"}, {"a", "20"}})
	if want := "NAME        N\n東京タワー  1\na           20\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestProgressStays checks that the line is drawn again after a case was printed, until the last.
func TestProgressStays(t *testing.T) {
	var screen strings.Builder
	now := time.Unix(0, 0)
	p := &report.Progress{Out: &screen, Clock: func() time.Time { return now }}
	for i, id := range []string{"a", "b"} {
		c := &rubric.Case{ID: id}
		p.Show(run.Event{Stage: run.Started, Case: c, Total: 2})
		now = now.Add(2 * time.Second)
		p.Show(run.Event{Stage: run.Done, Case: c, Total: 2, Record: &run.Record{EvalID: id, Verdict: "pass"}})
		p.Clear()
		screen.Reset()
		p.Redraw()
		if got := screen.String(); i == 0 && !strings.Contains(got, "1 of 2: 1 pass, 0 borderline, 0 fail; 30/min, 2s left") {
			t.Errorf("after the case %s the line is %q", id, got)
		}
	}
}
