package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var runsCompareCommand = command{
	name:    "runs compare",
	args:    "OLD [NEW]…",
	summary: "Compare two runs by case and criterion",
	example: "rubric runs compare main.jsonl branch.jsonl\nrubric runs compare main.jsonl branch.jsonl --fail-on lost",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		threshold := flags.Float64("threshold", score.DefaultThreshold, "count score differences below `SCORE` as ties")
		force := flags.Bool("force", false, "compare runs that are not comparable, too")
		var format string
		formatVar(flags, &format, resultFormats...)
		failOn := "regression"
		flags.Var(&choice{"fail-on", []string{"regression", "lost"}, &failOn}, "fail-on", "exit with 1 for `WHAT`: regression or lost")
		return func(s *session, args []string) error { return s.runsCompare(args, *threshold, *force, failOn, format) }
	},
}

// A comparedRun is one of several runs: a file, or one target, prompt or judge of a file.
type comparedRun struct {
	name    string
	records []run.Record
}

// readComparedRuns reads the runs of files. One file may have results of several targets, prompts or
// judges, which are then compared.
func readComparedRuns(files []string) (all []comparedRun, err error) {
	for _, name := range files {
		parts, varied, err := readParts(name, "")
		switch {
		case err != nil:
			return nil, err
		case varied == (run.Varied{}):
			all = append(all, parts...)
		case len(files) == 1:
			return parts, nil
		default:
			names := generic.Map(parts, func(part comparedRun) string { return part.name })
			return nil, fmt.Errorf("%s has several results of a case, by %s: %s; compare files with one each, or this one alone",
				resultstore.FindRunFile(name), varied, diag.JoinList(diag.Backtick(names), "and"))
		}
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("name two files of results or more, the oldest first")
	}
	return all, nil
}

// readParts reads a file as one run, or as one for each of its targets, prompts or judges: in order of first
// appearance, with prefix before their names.
func readParts(name, prefix string) (parts []comparedRun, varied run.Varied, err error) {
	path := resultstore.FindRunFile(name)
	if err := resultstore.CheckScores(path); err != nil {
		return nil, varied, err
	}
	records, err := resultstore.ReadRecordFile(path)
	if varied = run.FindVaried(records); varied == (run.Varied{}) {
		return []comparedRun{{name, records}}, varied, err
	}
	for _, g := range varied.Group(records) {
		parts = append(parts, comparedRun{prefix + g.Name, g.Records})
	}
	return parts, varied, err
}

// tellApart names datasets by their eval files if several files of a run have the same dataset and case, such as
// a/support.eval.yaml and b/support.eval.yaml. Names of the same dataset change in all runs. Cases of one id in
// one eval file, such as those of two files of tests that it names, are numbered.
func tellApart(runs []comparedRun) {
	isAmbiguous := map[string]bool{} // by dataset
	for _, r := range runs {
		files := map[score.CaseKey]string{}
		for _, rec := range r.records {
			key := score.CaseKey{Dataset: rec.Dataset, ID: rec.EvalID}
			if file, known := files[key]; known && file != rec.EvalFile {
				isAmbiguous[rec.Dataset] = true
			}
			files[key] = rec.EvalFile
		}
	}
	for _, r := range runs {
		seen := map[score.CaseKey]int{}
		for j := range r.records {
			rec := &r.records[j]
			if isAmbiguous[rec.Dataset] {
				rec.Dataset = cmp.Or(rec.EvalFile, rec.Dataset)
			}
			key := score.CaseKey{Dataset: rec.Dataset, ID: rec.EvalID}
			if seen[key]++; seen[key] > 1 {
				rec.EvalID = corereport.NumberedID(rec.EvalID, seen[key])
			}
		}
	}
}

// Comparisons compares several runs with the first of them.
type Comparisons struct {
	Matrix      *corereport.Matrix `json:"matrix"`
	Comparisons []NamedComparison  `json:"comparisons"`
}

// NamedComparison is the comparison of two runs by name.
type NamedComparison struct {
	Old string `json:"old"`
	New string `json:"new"`
	run.Comparison
}

func (s *session) runsCompare(args []string, threshold float64, force bool, failOn, format string) error {
	if !(threshold >= 0 && threshold <= 1) {
		return fmt.Errorf("--threshold must be from 0 to 1, not %v", threshold)
	}
	runs, err := readComparedRuns(args)
	if err != nil {
		return err
	}
	for i, r := range runs {
		if len(runs) > 2 && slices.ContainsFunc(runs[:i], func(o comparedRun) bool { return o.name == r.name }) {
			return fmt.Errorf("%s is named twice", r.name)
		}
	}
	all := compareRuns(runs, threshold)
	for _, c := range all.Comparisons {
		if c.Matched == 0 {
			return errors.New("no case is in both files")
		}
		if len(c.Warnings) > 0 && !force {
			return fmt.Errorf("these runs are not comparable: %s; --force compares them anyway", strings.Join(c.Warnings, "; "))
		}
	}
	if len(runs) > 2 {
		err = s.printResult(format, all, comparisonsSummary(all, runs, failOn))
	} else {
		c := all.Comparisons[0].Comparison
		summary := comparisonSummary(c, runs[1].records, failOn)
		if len(args) == 1 {
			summary.Lines = append([]string{fmt.Sprintf("Old: `%s`. New: `%s`.", runs[0].name, runs[1].name)}, summary.Lines...)
		}
		err = s.printResult(format, c, summary)
	}
	if err != nil {
		return err
	}
	return all.status(failOn)
}

// compareRuns compares runs with the first of them.
func compareRuns(runs []comparedRun, threshold float64) Comparisons {
	var matrix corereport.Matrix
	all := Comparisons{Comparisons: []NamedComparison{}}
	tellApart(runs)
	for i, r := range runs {
		for _, rec := range r.records {
			matrix.AddRun(r.name, rec, rec.RunThreshold)
		}
		if i > 0 {
			c := run.Compare(runs[0].records, r.records, threshold)
			all.Comparisons = append(all.Comparisons, NamedComparison{runs[0].name, r.name, c})
		}
	}
	all.Matrix = matrix.Finish()
	return all
}

// status returns the exit status.
func (all Comparisons) status(failOn string) error {
	status := exitStatus(0)
	for _, c := range all.Comparisons {
		switch {
		case failOn == "lost" && c.Losses+len(c.Gone) > 0, failOn == "regression" && c.Regression:
			return exitFindings
		case c.Ungraded >= c.Matched: // nothing is compared
			status = exitUnreachable
		}
	}
	return status.err()
}

// comparisonsSummary joins the summaries of all comparisons.
func comparisonsSummary(all Comparisons, runs []comparedRun, failOn string) (s report.Summary) {
	s.Title = fmt.Sprintf("%d runs against %s", len(all.Comparisons), runs[0].name)
	for i, c := range all.Comparisons {
		one := comparisonSummary(c.Comparison, runs[i+1].records, failOn)
		s.Lines = append(s.Lines, fmt.Sprintf("`%s`: %s.", c.New, one.Title))
		s.Lines = append(s.Lines, one.Lines...)
		for _, check := range one.Checks {
			check.Group = c.New
			s.Checks = append(s.Checks, check)
		}
	}
	s.Matrix = all.Matrix
	return s
}

// caseName names a case, with its dataset if there is one.
func caseName(dataset, id string) string { return strings.TrimPrefix(dataset+"/"+id, "/") }

// describeDifference returns a dash for no interval.
func describeDifference(i *score.Interval) string {
	if i == nil {
		return "–"
	}
	return i.String()
}

// outcomeName names an outcome as the totals do.
func outcomeName(o score.Outcome) string {
	return cmp.Or(map[score.Outcome]string{score.Win: "won", score.Loss: "lost", score.Tie: "tied"}[o], string(o))
}

// comparisonSummary lists the cases that are not tied. records are those of the new run.
func comparisonSummary(c run.Comparison, records []run.Record, failOn string) (s report.Summary) {
	s.Title = c.Totals()
	s.Lines = append(s.Lines, generic.Map(c.Warnings, func(why string) string { return "The difference may come from this: " + why + "." })...)
	if c.Ungraded > 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("Not compared, because a run left them ungraded: %d of %d.", c.Ungraded, c.Matched))
	}
	if i := c.Interval; i != nil {
		s.Lines = append(s.Lines, map[bool]string{true: "The difference is beyond chance.", false: "The difference may be chance."}[i.Low > 0 || i.High < 0])
	}
	if c.Losses > 0 && !c.Regression && failOn != "lost" {
		s.Lines = append(s.Lines, fmt.Sprintf("%s lost, but no regression: the mean did not fall beyond chance. With `--fail-on lost` the exit status is 1.", diag.CountNoun(c.Losses, "case")))
	}
	if u := c.Unmatched; u.First+u.Second > 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("Only in the old run: %d. Only in the new one: %d.", u.First, u.Second))
	}
	files, datasets := map[score.CaseKey]string{}, map[string]string{}
	for _, rec := range records {
		files[score.CaseKey{Dataset: rec.Dataset, ID: rec.EvalID}], datasets[rec.EvalID] = rec.EvalFile, rec.Dataset
	}
	cases := corereport.Table{Title: "Cases that differ", Rows: [][]string{{"case", "old", "new", "difference", "outcome"}}}
	for _, outcome := range []score.Outcome{score.Loss, score.Win, score.Tie, score.NoOutcome} {
		for _, p := range c.Cases {
			if p.Outcome != outcome {
				continue
			}
			name, key := caseName(p.Dataset, p.ID), score.CaseKey{Dataset: cmp.Or(p.Dataset, datasets[p.ID]), ID: p.ID}
			check := report.Check{Group: "comparison", Name: name, State: report.Passed, File: files[key]}
			if outcome != score.Tie {
				cases.Rows = append(cases.Rows, []string{"`" + name + "`", corereport.ScoreOf(p.First), corereport.ScoreOf(p.Second), corereport.FormatDifference(p.Delta), outcomeName(outcome)})
				cases.Cases = append(cases.Cases, key)
			}
			switch {
			case outcome == score.NoOutcome:
				check.State, check.Message = report.NoResult, "a run left it ungraded"
			case outcome == score.Loss && (failOn == "lost" || c.Regression):
				check.State, check.Message = report.Failed, fmt.Sprintf("lost: %s → %s", corereport.ScoreOf(p.First), corereport.ScoreOf(p.Second))
			case outcome == score.Loss:
				check.State, check.Message = report.Tolerated, fmt.Sprintf("lost: %s → %s, and the run is no regression", corereport.ScoreOf(p.First), corereport.ScoreOf(p.Second))
			}
			s.Checks = append(s.Checks, check)
		}
	}
	addGone(&s, &cases, c.Gone, failOn)
	if c.Matched == 0 { // as of two files
		s.Title, cases.Rows = "No case is in both runs", cases.Rows[:1]
	}
	criteria := corereport.Table{Title: "By criterion", Rows: [][]string{{"criterion", "won", "lost", "tied", "ungraded", "mean difference, 95 %"}}}
	for _, p := range c.Criteria {
		criteria.Rows = append(criteria.Rows, []string{p.Label(), strconv.Itoa(p.Wins), strconv.Itoa(p.Losses), strconv.Itoa(p.Ties), strconv.Itoa(p.Ungraded), describeDifference(p.Interval)})
	}
	s.Tables = []corereport.Table{criteria, cases, gradesTable(c, datasets)}
	return s
}

// gradesTable returns the grades that differ. datasets are those of the cases, by id.
func gradesTable(c run.Comparison, datasets map[string]string) corereport.Table {
	grades := corereport.Table{Title: "Grades that differ", Rows: [][]string{{"case", "criterion", "old", "new", "outcome"}}}
	for _, g := range c.Grades {
		label := run.CriterionName{Grader: g.Grader, Criterion: cmp.Or(g.Text, g.Criterion)}.Label()
		name := g.ID
		if !slices.ContainsFunc(c.Cases, func(p score.CaseDelta) bool { return p.ID == g.ID && p.Dataset == "" }) {
			name = caseName(g.Dataset, g.ID)
		}
		grades.Rows = append(grades.Rows, []string{"`" + name + "`", label, strings.TrimSpace(corereport.Mark(g.First)), strings.TrimSpace(corereport.Mark(g.Second)), outcomeName(g.Outcome)})
		grades.Cases = append(grades.Cases, score.CaseKey{Dataset: cmp.Or(g.Dataset, datasets[g.ID]), ID: g.ID})
	}
	return grades
}

// addGone adds the cases that the new run does not have.
func addGone(s *report.Summary, cases *corereport.Table, gone []score.GoneCase, failOn string) {
	for _, p := range gone {
		name := caseName(p.Dataset, p.ID)
		cases.Rows = append(cases.Rows, []string{"`" + name + "`", corereport.ScoreOf(p.First), "–", "–", "gone"})
		cases.Cases = append(cases.Cases, score.CaseKey{}) // the new run has nothing to open
		check := report.Check{Group: "comparison", Name: name, State: report.Tolerated, Message: "gone: the new run does not have it"}
		if failOn == "lost" {
			check.State = report.Failed
		}
		s.Checks = append(s.Checks, check)
	}
}
