package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Report is what one call graded.
type Report struct {
	Suites []Suite
	Notice string // what has to stand beside every verdict; "" if nothing has
	// Threshold is the score, 0 to 1, from which a case whose gates hold counts
	// as passing, whatever its verdict; 0 for the verdict alone.
	Threshold float64
}

// Passes reports whether a case counts as passing.
func (r Report) Passes(rec run.Record) bool {
	if r.Threshold <= 0 {
		return rec.Verdict == score.Pass
	}
	for _, gate := range rec.Gates {
		if !gate.Met {
			return false
		}
	}
	return rec.Error == "" && rec.Ungraded == 0 && rec.Score >= r.Threshold
}

// shortOf names the cases that do not pass because of a threshold, or do in spite
// of their verdict, which no verdict tells.
func shortOf(threshold float64, short []string) string {
	if len(short) == 0 {
		return fmt.Sprintf("with the threshold %s all cases pass", decimal(threshold))
	}
	return fmt.Sprintf("with the threshold %s these do not pass: %s", decimal(threshold), strings.Join(short, ", "))
}

// Suite is one file's records.
type Suite struct {
	Name    string
	Path    string
	Records []run.Record
	// Conversations are those of an ADK evalset, by the ids of its cases; nil for
	// what was graded and not measured.
	Conversations map[string]metric.Conversation
}

// Totals counts the cases of a report or a suite.
type Totals struct {
	Cases      int     `json:"cases"`
	Pass       int     `json:"pass"`
	Borderline int     `json:"borderline"`
	Fail       int     `json:"fail"`
	Errors     int     `json:"errors"`   // of those that fail: not run to their end
	Ungraded   int     `json:"ungraded"` // graders and criteria without a judgement
	MeanScore  float64 `json:"mean_score"`

	Judges  run.Spent `json:"judges_spent"`  // what those took who judged
	Targets run.Spent `json:"targets_spent"` // and those who answered
}

// Totals of one suite.
func (s Suite) Totals() Totals { return total(s.Records) }

// Totals of all suites.
func (r Report) Totals() (t Totals) {
	for _, s := range r.Suites {
		for _, rec := range s.Records {
			t.Add(rec)
		}
	}
	return t
}

func total(records []run.Record) (t Totals) {
	for _, rec := range records {
		t.Add(rec)
	}
	return t
}

// Add counts one more case.
func (t *Totals) Add(rec run.Record) {
	t.Cases++
	switch rec.Verdict {
	case score.Pass:
		t.Pass++
	case score.Borderline:
		t.Borderline++
	default:
		t.Fail++
	}
	if rec.Error != "" {
		t.Errors++
	}
	t.Ungraded += rec.Ungraded
	t.MeanScore += (rec.Score - t.MeanScore) / float64(t.Cases)
	t.Judges.Add(rec.Spent())
	t.Targets.Add(rec.SpentByTarget())
}

// Spent is what judges and targets took in words, a line each.
func (t Totals) Spent() (lines []string) {
	for _, who := range []struct {
		name string
		took run.Spent
	}{{"judges", t.Judges}, {"targets", t.Targets}} {
		if said := who.took.String(); said != "" {
			lines = append(lines, who.name+": "+said)
		}
	}
	return lines
}

// NotFail counts the cases that pass or nearly do.
func (t Totals) NotFail() int { return t.Pass + t.Borderline }

// String is the totals in one line.
func (t Totals) String() string {
	parts := []string{fmt.Sprintf("%d pass", t.Pass)}
	if t.Borderline > 0 {
		parts = append(parts, fmt.Sprintf("%d borderline", t.Borderline))
	}
	parts = append(parts, fmt.Sprintf("%d fail", t.Fail))
	text := strings.Join(parts, ", ")
	if t.Errors > 0 {
		text += fmt.Sprintf(" (%d could not be run)", t.Errors)
	}
	text += "; mean score " + decimal(t.MeanScore)
	if t.Ungraded > 0 {
		text += fmt.Sprintf("; %d ungraded", t.Ungraded)
	}
	return text
}

// Score is a score as reports write it.
func Score(f float64) string { return decimal(f) }

// decimal is a score with at most three places, never rounded up to a bar that
// it does not reach.
func decimal(f float64) string {
	text := fmt.Sprintf("%.3f", f)
	for _, bar := range []float64{1, score.PassAt, score.BorderlineAt} {
		if f < bar && text == fmt.Sprintf("%.3f", bar) {
			text = fmt.Sprintf("%.3f", bar-0.001)
		}
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Formats are the ways to write a report, by name.
func Formats() map[string]func(Report, io.Writer) error {
	return map[string]func(Report, io.Writer) error{
		"json": Report.JSON, "jsonl": Report.JSONL, "junit": Report.JUnit, "html": Report.HTML, EvalsetResult: Report.EvalsetResult,
		"text": func(r Report, w io.Writer) error { return r.Text(w, Style{}) },
	}
}
