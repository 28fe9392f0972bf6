package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample has one of everything: a checklist, ranges, a failed gate, something
// ungraded, a composite, a case that could not be run.
func sample() report.Report {
	yes, no, seven, minimum := true, false, 7.0, 8.0
	took := 1234.0
	bands := []run.BandRecord{{Range: [2]float64{0, 4}, Text: "Curt"}, {Range: [2]float64{5, 10}, Text: "Warm"}}
	checklist := run.GraderRecord{
		Name: "rubric", Type: rubric.LLMJudge, Weight: 1,
		Criteria: []run.CriterionRecord{
			{ID: "window", Text: "States the window of 30 days", Weight: 2, Required: true}, {ID: "label", Text: "Offers a label", Weight: 1},
			{ID: "tone", Weight: 1, MinScore: &minimum, Bands: bands}, {ID: "lost", Text: "Is 日本語 too", Weight: 1, Required: true},
		},
		Result: score.Result{Score: 0.625, Verdict: score.Fail, Ungraded: "criterion `lost`: it is missing", Reasoning: "mixed", Grades: []score.Grade{
			{ID: "window", Satisfied: &yes, Weight: 2, Required: true, Reasoning: "it says 30 days"},
			{ID: "label", Satisfied: &no, Weight: 1, Reasoning: "no label is mentioned anywhere in the whole of the answer, which is long"},
			{ID: "tone", Score: &seven, Weight: 1, Reasoning: "friendly"},
			{ID: "lost", Ungraded: "it is missing", Weight: 1, Required: true},
		}},
		Request: &run.Request{System: "You judge.", User: "Judge this."}, Replies: []run.ReplyRecord{{Text: `{"checks":[]}`, Problems: []string{"it is short"}}},
	}
	composite := run.GraderRecord{
		Name: "both", Type: rubric.Composite, Weight: 0.5, Result: score.Result{Score: 0.5, Verdict: score.Fail},
		Members: []run.GraderRecord{{Name: "quick", Type: rubric.Latency, Weight: 1, Result: score.Result{
			Score: 1, Verdict: score.Pass, Hits: []string{"took 1 s"}, Misses: []string{"cost too much"}, Reasoning: "half and half",
		}, Problems: []string{"the prompt's `{{ x }}` is no variable"}}},
	}
	return report.Report{Notice: "graded by a stand-in", Suites: []report.Suite{{Name: "shop", Path: "evals/shop.eval.yaml", Records: []run.Record{
		{
			EvalID: "refund", Dataset: "shop", Target: "prod", Judge: "offline", Profile: score.Spec, Score: 0.6, Verdict: score.Fail, Ungraded: 1,
			Question: "Can I return it?", ExpectedOutcome: "Explains returns", CandidateAnswer: "Yes, within 30 days.",
			Reasons: []string{"`tone` is 7, below its minimum of 8", "`lost` is ungraded"}, Misses: []string{"no label"},
			Graders: []run.GraderRecord{checklist, composite}, DurationMS: &took, Timestamp: "2026-03-14T15:09:26.000Z",
		},
		{EvalID: "almost", Score: 0.79996, Verdict: score.Borderline, Reasons: []string{"score 0.79996 is below 0.8"}, Profile: score.Spec},
		{EvalID: "well", Score: 1, Verdict: score.Pass, Profile: score.Spec},
		{EvalID: "gone", Verdict: score.Fail, Error: "the target gave no answer: timed out after 2s", Reasons: []string{"the target gave no answer"}, Ungraded: 1, Profile: score.Spec},
	}}}}
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(report.Report, *bytes.Buffer) error{
		"text":  func(r report.Report, b *bytes.Buffer) error { return r.Text(b, report.Style{Width: 78}) },
		"color": func(r report.Report, b *bytes.Buffer) error { return r.Text(b, report.Style{Color: true}) },
		"junit": func(r report.Report, b *bytes.Buffer) error { return r.JUnit(b) },
		"html":  func(r report.Report, b *bytes.Buffer) error { return r.HTML(b) },
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(sample(), &got); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "sample."+name)
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(want, got.Bytes()) {
				t.Errorf("%s differs from %s (%v); with -update it is rewritten:\n%s", name, path, err, got.Bytes())
			}
		})
	}
}

// TestWidth: no line of the table is wider than the screen, however wide its
// characters are.
func TestWidth(t *testing.T) {
	var out bytes.Buffer
	if err := sample().Text(&out, report.Style{Width: 40}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 40 && !strings.HasPrefix(line, "1 pass") && !strings.HasPrefix(line, "note:") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// hostile replaces every text of the sample by one that tries to break out.
func hostile() report.Report {
	const evil = "<script>alert(1)</script>\"'&]]>\x1b[2J\x00\u202e\xff"
	raw, _ := json.Marshal(sample().Suites[0].Records[0])
	var rec run.Record
	_ = json.Unmarshal(raw, &rec)
	rec.EvalID, rec.Question, rec.ExpectedOutcome, rec.CandidateAnswer, rec.Target, rec.Judge = evil, evil, evil, evil, evil, evil
	rec.Reasons, rec.Misses, rec.Error = []string{evil}, []string{evil}, evil
	g := &rec.Graders[0]
	g.Name, g.Ungraded, g.Reasoning, g.Problems, g.Replies[0].Text, g.Request.User = evil, evil, evil, []string{evil}, evil, evil
	for i := range g.Grades {
		g.Grades[i].Reasoning, g.Criteria[i].Text = evil, evil
	}
	g.Criteria[2].Bands[0].Text = evil
	return report.Report{Notice: evil, Suites: []report.Suite{{Name: evil, Path: evil, Records: []run.Record{rec}}}}
}

func TestHostile(t *testing.T) {
	var page, junit, text, lines bytes.Buffer
	for _, err := range []error{hostile().HTML(&page), hostile().JUnit(&junit), hostile().Text(&text, report.Style{}), hostile().JSONL(&lines)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(page.String(), "<script") || regexp.MustCompile(`(src|href)="?https?:`).MatchString(page.String()) {
		t.Error("the page runs or loads something")
	}
	if !strings.Contains(page.String(), `default-src 'none'`) {
		t.Error("the page has no content security policy")
	}
	dec := xml.NewDecoder(&junit)
	for {
		if _, err := dec.Token(); err != nil {
			if err.Error() != "EOF" {
				t.Errorf("JUnit is no XML: %v", err)
			}
			break
		}
	}
	if strings.ContainsAny(text.String(), "\x1b\x00") {
		t.Errorf("the table steers the terminal: %q", text.String())
	}
	if !json.Valid(lines.Bytes()) {
		t.Error("the line is no JSON")
	}
}

func TestTotals(t *testing.T) {
	got := sample().Totals()
	want := report.Totals{Cases: 4, Pass: 1, Borderline: 1, Fail: 2, Errors: 1, Ungraded: 2, MeanScore: got.MeanScore}
	if got != want || got.MeanScore < 0.5999 || got.MeanScore > 0.6 {
		t.Errorf("%+v", got)
	}
	if s := got.String(); s != "1 pass, 1 borderline, 2 fail (1 could not be run); mean score 0.599; 2 ungraded" {
		t.Errorf("in words: %s", s)
	}
	var out bytes.Buffer
	if err := (report.Report{}).HTML(&out); err != nil {
		t.Errorf("an empty report: %v", err)
	}
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := report.Progress{Out: &out, Width: 60}
	c := &rubric.Case{ID: "refund\x1b[2J"}
	p.Show(run.Event{Stage: run.Started, Total: 2, Case: c})
	p.Show(run.Event{Stage: run.Graded, Total: 2, Case: c})
	p.Show(run.Event{Stage: run.Done, Total: 2, Case: c, Record: &run.Record{Verdict: score.Pass}})
	p.Clear()
	if got := out.String(); !strings.Contains(got, "0 of 2") || !strings.Contains(got, "1 of 2: 1 pass") || strings.Contains(got, "\x1b[2J") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
}
