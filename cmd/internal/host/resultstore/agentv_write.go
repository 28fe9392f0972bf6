package resultstore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// AgentVFormat is the name of the format of AgentV's folders.
const AgentVFormat = "agentv"

// CheckAgentVFolder returns an error if a run cannot be written to a folder: it has other contents, or is
// a file.
func CheckAgentVFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return disk.FileError(folder, err)
	case len(entries) > 0 && FindIndex(folder) == "":
		return fmt.Errorf("%s: is a folder with other files; name a new folder or one of an earlier run", folder)
	}
	return nil
}

// WriteAgentVRun writes records to a folder that AgentV reads: index.jsonl, benchmark.json, timing.json and
// a folder for each case. evalFile is the first file of the run, types are those of assertions, by case and name.
func WriteAgentVRun(folder, evalFile string, now time.Time, types map[[2]string]string, records []run.Record) error {
	var rows []agentVRow
	used := map[string]bool{}
	for _, rec := range records {
		row := newAgentVRow(rec, now, types)
		for n, dir := 2, row.ArtifactDir; used[row.ArtifactDir]; n++ {
			row.ArtifactDir = fmt.Sprintf("%s-%d", dir, n)
		}
		used[row.ArtifactDir] = true
		if err := row.writeArtifacts(folder, rec); err != nil {
			return err
		}
		rows = append(rows, row)
	}
	err := cmp.Or(writeJSONFile(folder, "benchmark.json", newBenchmark(rows, evalFile, now)), writeJSONFile(folder, "timing.json", newTiming(rows)))
	if err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(folder, indexNames[0]), func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		for _, row := range rows {
			if err := encoder.Encode(row); err != nil {
				return err
			}
		}
		return nil
	})
}

func newAgentVRow(rec run.Record, now time.Time, types map[[2]string]string) agentVRow {
	row := agentVRow{
		Timestamp: cmp.Or(rec.Timestamp, now.UTC().Format("2006-01-02T15:04:05.000Z")), TestID: rec.EvalID, Suite: rec.Dataset, Conversation: rec.ConversationID,
		Score: cmp.Or(rec.Score, new(0.0)), Target: rec.Target, Scores: writtenScores(rec.Graders, rec, types), Error: rec.Error, Experiment: "default",
		ArtifactDir: path.Join(fileName(rec.Dataset), fileName(rec.EvalID)),
	}
	if t := rec.TraceSummary; t != nil {
		row.TokenUsage, row.CostUSD, row.DurationMS = t.TokenUsage, t.CostUSD, t.DurationMS
	}
	switch {
	case rec.Execution != nil:
		row.Execution = *rec.Execution
	case rec.Error != "" || rec.Verdict == score.Ungraded:
		row.Execution = score.Execution{Status: "execution_error", Stage: "evaluator", Reason: "evaluator_error"}
		row.Error = cmp.Or(rec.Error, strings.Join(rec.Reasons, "; "))
	case rec.Verdict == score.Pass:
		row.Execution = score.Execution{Status: "ok"}
	default:
		row.Execution = score.Execution{Status: "quality_failure"}
	}
	return row
}

// writtenTypes are AgentV's names of kinds that are not the same words with hyphens.
var writtenTypes = map[string]string{"llm_judge": "llm-grader", "code_judge": "code-grader", "assert_set": "composite"}

func writtenScores(graders []run.GraderRecord, rec run.Record, types map[[2]string]string) []agentVScore {
	all := []agentVScore{}
	for _, g := range graders {
		s := agentVScore{
			Name: g.Name, Type: cmp.Or(types[[2]string{rec.EvalID, g.Name}], writtenTypes[string(g.Type)], strings.ReplaceAll(string(g.Type), "_", "-")),
			Weight: &g.Weight, Verdict: g.Verdict, Assertions: []agentVAssertion{}, Reasoning: g.Reasoning, Details: g.Details,
			Scores: writtenScores(g.Members, rec, types),
		}
		if g.Score != nil { // AgentV has 0 where it skips a grader
			s.Score = *g.Score
		}
		if g.Request != nil {
			s.Target = cmp.Or(g.Judge, rec.Judge)
		}
		switch {
		case g.Ungraded != "" && g.Verdict == score.Ungraded:
			s.Verdict, s.Reasoning = "skip", cmp.Or(s.Reasoning, g.Ungraded)
		case g.Verdict == score.Borderline:
			s.Verdict = score.Fail
		}
		if len(g.Criteria) > 0 && len(g.Grades) > 0 {
			s.Assertions = writtenGrades(g)
		} else {
			s.Assertions = append(s.Assertions, generic.Map(g.Hits, func(hit string) agentVAssertion { return agentVAssertion{Text: hit, Passed: true} })...)
			s.Assertions = append(s.Assertions, generic.Map(g.Misses, func(miss string) agentVAssertion { return agentVAssertion{Text: miss} })...)
		}
		all = append(all, s)
	}
	return all
}

func writtenGrades(g run.GraderRecord) (all []agentVAssertion) {
	texts := map[string]string{}
	for _, c := range g.Criteria {
		texts[c.ID] = c.Text
	}
	for _, grade := range g.Grades {
		a := agentVAssertion{Text: fmt.Sprintf("[%s] %s", grade.ID, texts[grade.ID]), Evidence: grade.Reasoning}
		switch {
		case grade.Satisfied != nil:
			a.Passed = *grade.Satisfied
		case grade.Score != nil:
			a.Text += fmt.Sprintf(" - Score: %v/10", *grade.Score)
			a.Passed = !slices.ContainsFunc(g.Gates, func(gate score.Gate) bool { return gate.ID == grade.ID && !gate.Met }) && *grade.Score >= 7
		default:
			a.Evidence = cmp.Or(a.Evidence, grade.Ungraded)
		}
		all = append(all, a)
	}
	return all
}

var unsafeName = pattern.New(`[^A-Za-z0-9._-]+`)

// fileName returns a name for a folder of a suite or a case.
func fileName(name string) string {
	return cmp.Or(strings.TrimLeft(unsafeName().ReplaceAllString(name, "_"), "."), "_")
}

// writeArtifacts writes the files of a case, and sets their paths in the row.
func (row *agentVRow) writeArtifacts(folder string, rec run.Record) error {
	in := func(name string) string { return path.Join(row.ArtifactDir, name) }
	row.GradingPath, row.TimingPath, row.InputPath = in("grading.json"), in("timing.json"), in("input.md")
	row.AnswerPath = in("outputs/answer.md")
	row.OutputPath, row.ResponsePath = row.AnswerPath, row.AnswerPath
	assertions, passed := []agentVAssertion{}, 0
	for _, s := range row.Scores {
		for _, a := range s.Assertions {
			assertions = append(assertions, a)
			if a.Passed {
				passed++
			}
		}
	}
	calls := map[string]int{}
	if rec.TraceSummary != nil && rec.TraceSummary.ToolCallsByName != nil {
		calls = rec.TraceSummary.ToolCallsByName
	}
	total := 0
	for _, n := range calls {
		total += n
	}
	grading := map[string]any{
		"assertions": assertions, "graders": row.Scores,
		"summary": map[string]any{
			"passed": passed, "failed": len(assertions) - passed, "total": len(assertions),
			"pass_rate": float64(passed) / float64(max(1, len(assertions))),
		},
		"execution_metrics": map[string]any{"tool_calls": calls, "total_tool_calls": total, "errors_encountered": 0},
	}
	return cmp.Or(
		writeJSONFile(folder, row.GradingPath, grading),
		writeJSONFile(folder, row.TimingPath, newTiming([]agentVRow{*row})),
		writeTextFile(folder, row.InputPath, "@[user]:\n"+rec.Question+"\n"),
		writeTextFile(folder, row.AnswerPath, rec.CandidateAnswer))
}

func newTiming(rows []agentVRow) map[string]any {
	var duration, input, output float64
	for _, row := range rows {
		if row.DurationMS != nil {
			duration += *row.DurationMS
		}
		if row.TokenUsage != nil {
			input, output = input+row.TokenUsage.Input, output+row.TokenUsage.Output
		}
	}
	return map[string]any{
		"total_tokens": input + output, "duration_ms": duration, "total_duration_seconds": duration / 1000,
		"token_usage": map[string]float64{"input": input, "output": output, "reasoning": 0},
	}
}

func newBenchmark(rows []agentVRow, evalFile string, now time.Time) map[string]any {
	targets, ids := []string{}, []string{}
	passRates, graders := map[string][]float64{}, map[string][]float64{}
	for _, row := range rows {
		targets = generic.AppendNew(targets, row.Target)
		ids = append(ids, row.TestID)
		passRates[row.Target] = append(passRates[row.Target], *row.Score)
		for _, s := range row.Scores {
			key := s.Name + ":" + s.Type
			graders[key] = append(graders[key], s.Score)
		}
	}
	summary, perGrader := map[string]any{}, map[string]any{}
	for target, scores := range passRates {
		summary[target] = map[string]any{"pass_rate": meanAndDeviation(scores)}
	}
	for key, scores := range graders {
		perGrader[key] = meanAndDeviation(scores)
	}
	return map[string]any{
		"metadata": map[string]any{
			"eval_file": evalFile, "timestamp": now.UTC().Format("2006-01-02T15:04:05.000Z"), "targets": targets, "tests_run": ids,
			"experiment": "default", "planned_test_count": len(rows),
		},
		"run_summary": summary, "per_grader_summary": perGrader, "notes": []string{},
	}
}

func meanAndDeviation(values []float64) map[string]float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return map[string]float64{"mean": mean, "stddev": math.Sqrt(squares / float64(len(values)))}
}

func writeJSONFile(folder, name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return writeTextFile(folder, name, string(text)+"\n")
}

func writeTextFile(folder, name, text string) error {
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return disk.FileError(folder, err)
	}
	return disk.WriteText(file, text)
}
