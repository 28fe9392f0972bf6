package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	_ "github.com/rubric-ls/rubric/core/dialect/promptfoo/results" // one of the formats
	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(report.Report, *bytes.Buffer) error{
		"text":  func(r report.Report, b *bytes.Buffer) error { return r.Text(b, report.Style{Width: 78}) },
		"color": func(r report.Report, b *bytes.Buffer) error { return r.Text(b, report.Style{Color: true}) },
		"junit": func(r report.Report, b *bytes.Buffer) error { return r.JUnit(b) },
		"html":  htmlWithoutStyle,
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

// htmlWithoutStyle is the page but for its style sheet and script, which have files of their own, and their hashes.
func htmlWithoutStyle(r report.Report, b *bytes.Buffer) error {
	var whole bytes.Buffer
	err := r.HTML(&whole)
	page := regexp.MustCompile(`(?s)<style>.*</script>`).ReplaceAll(whole.Bytes(), []byte("<style></style>"))
	b.Write(regexp.MustCompile(`sha256-[^&]*`).ReplaceAll(page, []byte("sha256-HASH")))
	return err
}

// TestAnyLocale: equal runs give equal tables, whatever the machine speaks.
func TestAnyLocale(t *testing.T) {
	table := func() string {
		var out bytes.Buffer
		if err := sample().Text(&out, report.Style{Width: 60}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := table()
	was := *runewidth.DefaultCondition
	defer func() { *runewidth.DefaultCondition = was }()
	runewidth.DefaultCondition.EastAsianWidth = !was.EastAsianWidth
	if got := table(); got != want {
		t.Errorf("with other widths by default:\n%s\nand before:\n%s", got, want)
	}
}

// TestWidth: no line of the table is wider than the screen, however wide its
// characters are. The sums are the exception: they are worth a second line.
func TestWidth(t *testing.T) {
	columns := runewidth.Condition{StrictEmojiNeutral: true}
	for _, width := range []int{40, 61, 78} {
		var out bytes.Buffer
		if err := sample().Text(&out, report.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := columns.StringWidth(strings.TrimSuffix(line, "\n")); n > width && !strings.Contains(line, "; mean score ") {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
	}
}

func TestTotals(t *testing.T) {
	got := sample().Totals()
	want := corereport.Totals{Cases: 6, Pass: 2, Borderline: 1, Fail: 1, Ungraded: 2, Errors: 1, MissingGrades: 3, MeanScore: got.MeanScore,
		Judges: run.ModelUsage{Calls: 2, Repeated: 1, Unpriced: 2}, Targets: run.ModelUsage{Calls: 1, Input: 812, Output: 96, Cost: 0.0031}}
	if !reflect.DeepEqual(got, want) || *got.MeanScore < 0.81 || *got.MeanScore > 0.8105 {
		t.Errorf("%+v", got)
	}
	for text, totals := range map[string]corereport.Totals{
		"2 pass, 1 borderline, 1 fail, 2 ungraded (1 could not be run); mean score 0.81 (of 4 graded cases); 3 grades missing": got,
		"1 pass, 0 fail; mean score 1":                      {Cases: 1, Pass: 1, MeanScore: new(1.0)},
		"0 pass, 1 borderline, 0 fail; mean score 0.799":    {Cases: 1, Borderline: 1, MeanScore: new(0.79996)},
		"0 pass, 1 fail; mean score 0.599":                  {Cases: 1, Fail: 1, MeanScore: new(0.59999)},
		"9999 pass, 1 borderline, 0 fail; mean score 0.999": {Cases: 10000, Pass: 9999, Borderline: 1, MeanScore: new(0.99998)},
	} {
		if s := totals.String(); s != text {
			t.Errorf("%s, want %s", s, text)
		}
	}
}

// TestTruth: what is shown of a criterion is what it was held against, not what
// its settings look like.
func TestTruth(t *testing.T) {
	ten, bands := 10.0, []run.BandRecord{{Range: [2]float64{0, 5}, Text: "low"}, {Range: [2]float64{5, 10}, Text: "high"}}
	for name, c := range map[string]struct {
		criterion run.CriterionRecord
		grade     score.Grade
		want      string
	}{
		"a required score needs all":      {run.CriterionRecord{Text: "C", Weight: 1, Required: true, Bands: bands}, raw("c", 9, ""), " 9/10 C (at least 10: not met)"},
		"a minimum without bands is none": {run.CriterionRecord{Text: "C", Weight: 1, MinScore: &ten}, yes("c", ""), "✓ yes C\n"},
		"a score just below its minimum":  {run.CriterionRecord{Text: "C", Weight: 1, MinScore: new(7.0), Bands: bands}, raw("c", 6.9999, ""), "6.9999/10 C (at least 7: not met)"},
		"a small weight":                  {run.CriterionRecord{Text: "C", Weight: 0.0004}, yes("c", ""), "C (weight 0.0004)"},
		"a grade for another":             {run.CriterionRecord{Text: "C", Weight: 1, Required: true}, yes("d", ""), "?     C (required)\n          ungraded: the judge did not grade it"},
	} {
		c.criterion.ID = "c"
		rec := run.Rescore(run.Record{Graders: []run.GraderRecord{rubricGrader("r", []run.CriterionRecord{c.criterion}, c.grade)}}, score.Spec)
		var out bytes.Buffer
		if err := (report.Report{Suites: []report.Suite{{Records: []run.Record{rec}}}}).Text(&out, report.Style{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, out.String())
		}
	}
}

// TestOwnFindings: what a composite's judge says is shown. What a mean repeats
// of its members is not shown twice.
func TestOwnFindings(t *testing.T) {
	member := run.GraderRecord{Name: "m", Type: rubric.Latency, Weight: 1, Result: score.PlainResult(1, []string{"it was quick"}, nil, "")}
	for aggregator, want := range map[string]int{"llm_judge": 2, "weighted_average": 1} {
		g := run.GraderRecord{Name: "c", Type: rubric.Composite, Weight: 1, Aggregator: aggregator, Members: []run.GraderRecord{member},
			Result: score.PlainResult(1, []string{"[m] it was quick"}, nil, "")}
		r := report.Report{Suites: []report.Suite{{Records: []run.Record{{Verdict: score.Pass, Score: new(1.0), Graders: []run.GraderRecord{g}}}}}}
		var text bytes.Buffer
		if err := r.Text(&text, report.Style{}); err != nil {
			t.Fatal(err)
		}
		for form, corereport := range map[string]string{"table": text.String(), "page": pageOf(t, r)} {
			if n := strings.Count(corereport, "it was quick"); n != want {
				t.Errorf("%s: the %s tells it %d times, want %d", aggregator, form, n, want)
			}
		}
	}
}

// TestCut: results are read again by the reader that --resume has, and a line
// that a killed process was writing costs only itself.
func TestCut(t *testing.T) {
	var lines bytes.Buffer
	if err := sample().JSONL(&lines); err != nil {
		t.Fatal(err)
	}
	var want []run.Record
	for _, s := range sample().Suites {
		for _, rec := range s.Records {
			rec.Timestamp, rec.DurationMS = "", nil // a line has no times
			want = append(want, rec)
		}
	}
	last := bytes.LastIndexByte(bytes.TrimSpace(lines.Bytes()), '\n') + 1
	journal, results := filepath.Join(t.TempDir(), "x.jsonl.partial"), filepath.Join(t.TempDir(), "x.jsonl")
	for _, c := range []struct {
		size, records int
		isCut         bool
	}{{lines.Len(), 6, false}, {lines.Len() - 1, 6, false}, {last + 9, 5, true}, {last, 5, false}, {0, 0, false}} {
		for _, path := range []string{journal, results} {
			if err := os.WriteFile(path, lines.Bytes()[:c.size], 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := resultstore.ReadRecordFile(results); (err != nil) != c.isCut {
			t.Errorf("results of %d bytes: %v", c.size, err)
		}
		got, err := resultstore.ReadRecordFile(journal)
		if err != nil || len(got) != c.records {
			t.Errorf("of %d bytes %d records, %v", c.size, len(got), err)
		}
		for i := range got {
			if a, b := decodeRecord(t, got[i]), decodeRecord(t, want[i]); !reflect.DeepEqual(a, b) {
				t.Errorf("read again, %s is\n%v\nand was\n%v", want[i].EvalID, a, b)
			}
		}
	}
}

// decodeRecord is a record whatever the order of its keys.
func decodeRecord(t *testing.T, rec run.Record) (object map[string]any) {
	t.Helper()
	raw, err := json.Marshal(rec)
	if err == nil {
		err = json.Unmarshal(raw, &object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// TestJSON: the whole report is one object.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := sample().JSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Notice string
		Totals corereport.Totals
		Suites []struct {
			Name, Path string
			Totals     corereport.Totals
			Cases      []run.Record
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Notice != sample().Notice || !reflect.DeepEqual(got.Totals, sample().Totals()) || len(got.Suites) != 2 {
		t.Errorf("%+v", got.Totals)
	}
	for i, s := range sample().Suites {
		if g := got.Suites[i]; g.Name != s.Name || g.Path != s.Path || !reflect.DeepEqual(g.Totals, s.Totals()) || len(g.Cases) != s.Totals().Cases {
			t.Errorf("the suite %s is %+v with %d cases", s.Name, g.Totals, len(g.Cases))
		}
	}
	out.Reset()
	if err := (report.Report{}).JSON(&out); err != nil || !strings.Contains(out.String(), `"suites": []`) {
		t.Errorf("without suites: %s, %v", out.String(), err)
	}
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	var now time.Time
	p := report.Progress{Out: &out, Width: 60, Clock: func() time.Time { now = now.Add(time.Second); return now }}
	c := &rubric.Case{ID: "refund\x1b[2J"}
	p.Show(run.Event{Stage: run.Started, Total: 2, Case: c})
	p.Show(run.Event{Stage: run.Graded, Total: 2, Case: c})
	p.Show(run.Event{Stage: run.Done, Total: 2, Case: c, Record: &run.Record{Verdict: score.Pass}})
	p.Clear()
	if got := out.String(); !strings.Contains(got, "0 of 2") || !strings.Contains(got, "1 of 2: 1 pass") || strings.Contains(got, "\x1b[2J") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
}

// TestPace: the line says how fast the run is and how long it takes, and is not
// drawn for every case of a fast one.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		name  string
		each  time.Duration
		cases int
		want  string
		draws int // at most
	}{
		{"a slow one", 30 * time.Second, 2, "2 of 10: 2 pass, 0 borderline, 0 fail; 2/min, 4m0s left", 5},
		{"a quick one", 250 * time.Millisecond, 4, "4 of 10: 4 pass, 0 borderline, 0 fail; 4/s, 2s left", 9},
		{"a fast one", time.Millisecond, 9, "0 of 10", 2},
		{"at its end", time.Second, 10, "10 of 10: 10 pass, 0 borderline, 0 fail; 1/s\r", 21},
	} {
		var out bytes.Buffer
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		p := report.Progress{Out: &out, Width: 90, Clock: func() time.Time { return now }}
		for i := range c.cases {
			of := &rubric.Case{ID: fmt.Sprint("c", i)}
			p.Show(run.Event{Stage: run.Started, Total: 10, Case: of})
			now = now.Add(c.each)
			p.Show(run.Event{Stage: run.Done, Total: 10, Case: of, Record: &run.Record{Verdict: score.Pass}})
		}
		p.Clear()
		if draws := strings.Count(out.String(), "\x1b[K") - 1; draws > c.draws || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %d draws of %q", c.name, draws, out.String())
		}
	}
}

// TestProgressOfTheKnown: cases that were done before count as done, and not for how
// fast the run is.
func TestProgressOfTheKnown(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := report.Progress{Out: &out, Width: 90, Clock: func() time.Time { return now }}
	for range 5 {
		p.Show(run.Event{Stage: run.Done, Total: 10, Case: &rubric.Case{ID: "old"}, Record: &run.Record{Verdict: score.Pass}, Reused: true})
	}
	now = now.Add(time.Second)
	p.Show(run.Event{Stage: run.Done, Total: 10, Case: &rubric.Case{ID: "c"}, Record: &run.Record{Verdict: score.Fail}})
	if want := "6 of 10: 5 pass, 0 borderline, 1 fail; 1/s, 4s left"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestProgressOfACheck is there once it takes a while.
func TestProgressOfACheck(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := report.Progress{Out: &out, Width: 90, Clock: func() time.Time { return now }}
	for i, want := range []string{"", "", "", "checking x.jsonl: 40 %", "checking x.jsonl: 40 %", "checking x.jsonl: 40 %", "checking x.jsonl: 70 %"} {
		p.ShowChecked("x.jsonl", i+1, 10)
		now = now.Add(40 * time.Millisecond)
		if !strings.HasSuffix(out.String(), want) || want == "" && out.Len() > 0 {
			t.Errorf("after %d pieces %q, want %q", i+1, out.String(), want)
		}
	}
}

// TestProgressFits: the line never wraps, for a line that wraps cannot be taken
// away again.
func TestProgressFits(t *testing.T) {
	columns := runewidth.Condition{StrictEmojiNeutral: true}
	for width, most := range map[int]int{0: 79, 50: 49, 90: 89} {
		var out bytes.Buffer
		var now time.Time
		p := report.Progress{Out: &out, Width: width, Clock: func() time.Time { now = now.Add(time.Second); return now }}
		for _, id := range []string{"お客様の名前を呼んで挨拶する", "a-case-with-a-rather-long-id", "another-case-with-a-rather-long-id"} {
			p.Show(run.Event{Stage: run.Started, Total: 3, Case: &rubric.Case{ID: id}})
		}
		widest := 0
		for draw := range strings.SplitSeq(out.String(), "\r\x1b[K") {
			widest = max(widest, columns.StringWidth(draw))
		}
		if widest > most || widest < most-1 { // a wide character may leave a column
			t.Errorf("of %d columns %d are used, want %d", width, widest, most)
		}
	}
}

// TestOpenTogether: what kept the criteria of a grader from being graded is told with the
// first of them, and what is told of graded ones with each.
func TestOpenTogether(t *testing.T) {
	var criteria []run.CriterionRecord
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		criteria = append(criteria, run.CriterionRecord{ID: id, Text: id, Weight: 1})
	}
	open := func(id, why string) score.Grade { return score.Grade{ID: id, Ungraded: why} }
	rec := run.Record{Graders: []run.GraderRecord{rubricGrader("r", criteria, open("a", "away"), open("b", "away"), open("c", "mute"), yes("d", "so"), yes("e", "so"))}}
	var out bytes.Buffer
	if err := (report.Report{Suites: []report.Suite{{Records: []run.Record{rec}}}}).Text(&out, report.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = "    ?     a\n          ungraded: away\n    ?     b\n    ?     c\n          ungraded: mute\n    ✓ yes d\n          so\n    ✓ yes e\n          so\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("no\n%s in\n%s", want, out.String())
	}
}

// numbered is a rubric of two criteria without ids, the last of which is unmet and the
// first, if open, ungraded.
func numbered(name, text string, open bool) run.GraderRecord {
	g := run.GraderRecord{Name: name, Type: rubric.LLMJudge, Weight: 1}
	for i, reason := range []string{"Is polite", text} {
		satisfied := i == 0
		grade := score.Grade{ID: rubric.AutoID(i + 1), Satisfied: &satisfied}
		if i == 0 && open {
			grade = score.Grade{ID: grade.ID, Ungraded: "no word of it"}
		}
		g.Criteria = append(g.Criteria, run.CriterionRecord{ID: grade.ID, Text: reason, Weight: 1, Required: true})
		g.Grades = append(g.Grades, grade)
	}
	return g
}

// TestReasonsInWords: a reason names a criterion without an id by what it says, in every
// format for people.
func TestReasonsInWords(t *testing.T) {
	within := run.GraderRecord{Name: "both", Type: rubric.Composite, Weight: 1, Aggregator: "weighted_average",
		Members: []run.GraderRecord{numbered("one", "Names the price", true), numbered("two", "Sends a label", true)}}
	whole := numbered("gate", "Says when", true)
	whole.Terms.Required = true
	rec := run.Rescore(run.Record{EvalID: "c", Graders: []run.GraderRecord{
		numbered("rubric", "Offers a refund\nat "+strings.Repeat("once ", 30), false), within, whole}}, score.Spec)
	for format, write := range report.Formats() {
		if format == "json" || format == "jsonl" || format == report.EvalsetResult || format == "promptfoo" {
			continue
		}
		var out bytes.Buffer
		if err := write(report.Report{Suites: []report.Suite{{Records: []run.Record{rec}}}}, &out); err != nil {
			t.Fatal(err)
		}
		page := strings.NewReplacer("<code>", "`", "</code>", "`",
			`<code class="id">rubric-1</code>`, "", `<code class="id">rubric-2</code>`, "", "[rubric-2] ", "").Replace(out.String()) // beside its text
		for _, want := range []string{
			"`Offers a refund at once once", "…` of `rubric`: required and not satisfied",
			"`one/Names the price` of `both`: required and not satisfied",
			"`two/Sends a label` of `both`: required and not satisfied",
			"`both` is ungraded: `one` is ungraded: 1 of 2 criteria ungraded: `Is polite` (no word of it); `two` is ungraded",
			"`Says when` of `gate`: required and not satisfied",
			"`gate` is ungraded: 1 of 2 criteria ungraded: `Is polite` (no word of it)",
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not say %q:\n%s", format, want, out.String())
			}
		}
		if strings.Contains(page, "rubric-") {
			t.Errorf("%s names a criterion by its number:\n%s", format, out.String())
		}
	}
	if !slices.Contains(rec.Reasons, "`rubric-2` of `rubric`: required and not satisfied") {
		t.Errorf("the result has not its ids: %q", rec.Reasons)
	}
}

// TestMetrics: a metric is shown with its threshold and its turns, those in a row
// that are the same as one, in the table and on the page.
func TestMetrics(t *testing.T) {
	one, none, mean := 1.0, 0.0, 0.75
	turn := func(value *float64, reason string) metric.InvocationResult {
		status := metric.Passed
		if *value == 0 {
			status = metric.Failed
		}
		return metric.InvocationResult{Score: value, Status: status, Reason: reason}
	}
	rec := run.Record{EvalID: "c", Profile: run.MetricProfile(metric.Latest), Verdict: score.Fail, Reasons: []string{"so"}, Graders: []run.GraderRecord{
		{Name: "calls", Type: rubric.Metric, Weight: 1, Result: score.Result{Score: &mean, Verdict: score.Fail}, Metric: &metric.Result{
			Metric: "calls", Threshold: 0.9, Score: &mean, Status: metric.Failed, TurnMean: &mean,
			Invocations: []metric.InvocationResult{turn(&one, ""), turn(&one, ""), turn(&none, "no `f`"), turn(&one, "")}}},
		{Name: "safe", Type: rubric.Metric, Weight: 1, Result: score.UngradedResult("no judge"), Metric: &metric.Result{Metric: "safe", Status: metric.NotEvaluated, Reason: "no judge"}},
	}}
	r := report.Report{Suites: []report.Suite{{Name: "s", Records: []run.Record{rec}}}}
	for format, want := range map[string][]string{
		"text": {"calls (metric): FAILED 0.75, threshold 0.9; the mean of the turns' means is 0.75", "turns 1 to 2: pass 1", "turn 3: fail 0", "no `f`", "turn 4: pass 1", "safe (metric): NOT_EVALUATED: no judge"},
		"html": {"turns 1 to 2", "threshold 0.9", "each of its metrics reaches its threshold", "no judge"},
	} {
		var out strings.Builder
		if err := report.Formats()[format](r, &out); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s: no %q in\n%s", format, part, out.String())
			}
		}
	}
}
