package resultstore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// indexNames are the files in which AgentV lists the results of a run, from its folder. The other
// files of the folder are next to the first one.
var indexNames = []string{"index.jsonl", filepath.Join(".internal", "index.jsonl")}

// FindIndex returns the list of results in a folder of AgentV, or "" if path is no such folder.
func FindIndex(path string) string {
	for _, name := range indexNames {
		if index := filepath.Join(path, name); disk.Exists(index) {
			return index
		}
	}
	return ""
}

// agentVRow is a line of AgentV's results, in the order of keys in which AgentV 4 writes them. Paths are relative to
// the folder of the run.
type agentVRow struct {
	Timestamp    string        `json:"timestamp"`
	TestID       string        `json:"test_id"`
	Suite        string        `json:"suite"`
	Conversation string        `json:"conversation_id,omitempty"`
	Score        *float64      `json:"score"`
	Target       string        `json:"target"`
	TokenUsage   *grade.Tokens `json:"token_usage,omitempty"`
	CostUSD      *float64      `json:"cost_usd,omitempty"`
	DurationMS   *float64      `json:"duration_ms,omitempty"` // of the target
	Scores       []agentVScore `json:"scores"`
	score.Execution
	Error        string `json:"error,omitempty"`
	ArtifactDir  string `json:"artifact_dir"`
	GradingPath  string `json:"grading_path"`
	TimingPath   string `json:"timing_path"`
	OutputPath   string `json:"output_path"`
	AnswerPath   string `json:"answer_path"`
	ResponsePath string `json:"response_path"`
	InputPath    string `json:"input_path"`
	Experiment   string `json:"experiment"`

	// These are only read.
	Dataset        string          `json:"dataset,omitempty"` // before `suite`
	Output         json.RawMessage `json:"output,omitempty"`  // messages, a text, or nothing: see AnswerPath
	TranscriptPath string          `json:"transcript_path,omitempty"`
	EvalPath       string          `json:"eval_path,omitempty"`      // the test alone, as an eval file
	ProvidersPath  string          `json:"providers_path,omitempty"` // only the newest version has one
}

// agentVScore is the result of one grader.
type agentVScore struct {
	Name       string            `json:"name"`
	Type       string            `json:"type"`
	Score      float64           `json:"score"`
	Weight     *float64          `json:"weight"`
	Verdict    score.Verdict     `json:"verdict"`
	Assertions []agentVAssertion `json:"assertions"`
	Reasoning  string            `json:"reasoning,omitempty"`
	Target     string            `json:"target,omitempty"` // the judge
	Scores     []agentVScore     `json:"scores,omitempty"` // of its members
	Details    any               `json:"details,omitempty"`
}

type agentVAssertion struct {
	Text     string `json:"text"`
	Passed   bool   `json:"passed"`
	Evidence string `json:"evidence,omitempty"`
}

// answeredRecord is a record with what AgentV stores besides.
type answeredRecord struct {
	run.Record
	Messages []rubric.Message `json:"output_messages,omitempty"`
}

// isAgentVRow reports whether a line is a result of AgentV since `test_id` has replaced `eval_id`.
func isAgentVRow(line []byte) bool {
	var row struct {
		ID    string   `json:"test_id"`
		Camel string   `json:"testId"`
		Score *float64 `json:"score"`
	}
	return json.Unmarshal(line, &row) == nil && row.ID+row.Camel != "" && row.Score != nil
}

// translateAgentV replaces each result of AgentV by a record of a run. Other lines stay.
func translateAgentV(path string, r io.Reader) (io.Reader, error) {
	body, readErr := io.ReadAll(r)
	folder, err := filepath.Abs(filepath.Dir(path))
	if err = cmp.Or(readErr, err); err != nil {
		return nil, err
	}
	if filepath.Base(folder) == ".internal" {
		folder = filepath.Dir(folder)
	}
	out := &bytes.Buffer{}
	for line := range bytes.Lines(body) {
		if !isAgentVRow(line) {
			out.Write(line)
		} else if err := json.NewEncoder(out).Encode(readAgentVRow(folder, line)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

var capital = pattern.New(`[A-Z]`)

// snakeKeys renames the camelCase keys of earlier versions, in an object, its messages and tool calls.
func snakeKeys(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = snakeKeys(v[i])
		}
	case map[string]any:
		for key, item := range v {
			delete(v, key)
			name := capital().ReplaceAllStringFunc(key, func(c string) string { return "_" + strings.ToLower(c) })
			if name == "output" || name == "tool_calls" || name == "trace" || name == "token_usage" {
				item = snakeKeys(item)
			}
			v[name] = item
		}
	}
	return value
}

// decodeAgentVRow decodes a row of any version.
func decodeAgentVRow(line []byte) (row agentVRow) {
	var raw map[string]any
	if json.Unmarshal(line, &raw) == nil {
		snakeKeys(raw)
		if usage, ok := raw["token_usage"].(map[string]any); ok && (usage["input"] == nil || usage["output"] == nil) {
			delete(raw, "token_usage") // its error would end the row
		}
		line, _ = json.Marshal(raw)
	}
	_ = json.Unmarshal(line, &row) // parts of other types stay empty
	return row
}

func readAgentVRow(folder string, line []byte) answeredRecord {
	row := decodeAgentVRow(line)
	r := answeredRecord{Record: run.Record{
		Timestamp: row.Timestamp, EvalID: row.TestID, ConversationID: row.Conversation, Dataset: cmp.Or(row.Suite, row.Dataset), Target: row.Target,
		Score: row.Score, Verdict: score.Fail, Profile: score.AgentV4, Error: row.Error,
		Gates: []score.Gate{}, Hits: []string{}, Misses: []string{},
		TraceSummary: &grade.Trace{TokenUsage: row.TokenUsage, CostUSD: row.CostUSD, DurationMS: row.DurationMS},
	}}
	if row.ProvidersPath != "" {
		r.Profile = score.AgentVHead
	}
	switch row.Status {
	case "":
		r.Verdict = score.VerdictOf(*row.Score)
	case "ok":
		r.Verdict = score.Pass
	}
	if row.Status != "" {
		r.Execution = &row.Execution
	}
	if row.Error != "" && row.Stage == "agent" {
		r.Graders, r.Ungraded = []run.GraderRecord{}, 1 // there was no answer
	}
	read := func(path string) string {
		if path == "" || !filepath.IsLocal(filepath.FromSlash(path)) {
			return ""
		}
		body, _ := disk.ReadWithin(folder, filepath.Join(folder, filepath.FromSlash(path)))
		return body
	}
	c := &rubric.Case{}
	if body := read(row.EvalPath); body != "" {
		if found := analysis.Of(analysis.Input{Path: row.EvalPath, Text: body}).Suite().Case(row.TestID); found != nil {
			c = found
		}
	}
	r.Question, r.ExpectedOutcome = cmp.Or(c.Question, readInput(read(row.InputPath))), c.ExpectedOutcome
	r.Threshold = c.Threshold
	r.CandidateAnswer, r.Messages = row.readAnswer(read)
	if len(row.Scores) == 0 {
		var grading struct {
			Graders []agentVScore `json:"graders"`
		}
		_ = json.Unmarshal([]byte(read(row.GradingPath)), &grading)
		row.Scores = grading.Graders
	}
	for _, s := range row.Scores {
		r.Judge = cmp.Or(r.Judge, s.Target)
	}
	r.Graders = append(r.Graders, graderRecords(row.Scores, c.Graders, r.Threshold)...)
	for _, g := range r.Graders {
		r.Hits, r.Misses = append(r.Hits, g.Hits...), append(r.Misses, g.Misses...)
	}
	return r
}

// readInput returns the question that AgentV stores, or "" if it has several messages.
func readInput(text string) string {
	question, _ := strings.CutPrefix(text, "@[user]:\n")
	if strings.Contains("\n"+question, "\n@[") {
		return ""
	}
	return strings.TrimSpace(question)
}

// readAnswer returns the answer, and the messages of the target that have it.
func (row agentVRow) readAnswer(read func(string) string) (answer string, messages []rubric.Message) {
	if json.Unmarshal(row.Output, &answer) == nil && answer != "" {
		return answer, nil
	}
	if answer, messages = run.ReadAnswerMessages(row.Output); len(messages) > 0 {
		return answer, messages
	}
	for line := range strings.Lines(read(row.TranscriptPath)) {
		var m rubric.Message
		if json.Unmarshal([]byte(line), &m) == nil && (m.Role == "assistant" || m.Role == "tool") {
			messages = append(messages, m)
		}
	}
	answer = strings.TrimRight(read(cmp.Or(row.AnswerPath, row.OutputPath, row.ResponsePath)), "\n")
	return answer, messages
}

// assertionID matches the id of a criterion before its text.
var assertionID = pattern.New(`(?s)^\[([^\]]+)\] `)

// graderRecords returns the results of graders. A rubric's grades are those of its assertions, and its
// criteria those of the case's grader with the same name.
func graderRecords(scores []agentVScore, graders []*rubric.Grader, threshold *float64) (all []run.GraderRecord) {
	used := map[*rubric.Grader]bool{}
	for _, s := range scores {
		g := run.GraderRecord{Name: s.Name, Type: rubric.Kind(strings.ReplaceAll(s.Type, "-", "_")), Weight: *cmp.Or(s.Weight, new(1.0))}
		g.Score, g.Verdict, g.Reasoning = &s.Score, s.Verdict, s.Reasoning
		g.Gates, g.Hits, g.Misses = []score.Gate{}, []string{}, []string{}
		if s.Verdict == "skip" {
			g.Score, g.Verdict, g.Ungraded = nil, score.Ungraded, cmp.Or(s.Reasoning, "AgentV skipped it")
		}
		for _, a := range s.Assertions {
			text := a.Text
			if a.Evidence != "" {
				text += ": " + a.Evidence
			}
			if a.Passed {
				g.Hits = append(g.Hits, text)
			} else {
				g.Misses = append(g.Misses, text)
			}
		}
		var members []*rubric.Grader
		if i := slices.IndexFunc(graders, func(c *rubric.Grader) bool { return c.Name == s.Name && !used[c] }); i >= 0 {
			own := graders[i]
			used[own], members = true, own.Members
			g.Type, g.Terms = own.Kind, score.Terms{Negate: own.Negate, Required: own.Required, MinScore: own.MinScore, Threshold: threshold}
			g.Criteria = run.CriterionRecords(own.Criteria)
		}
		if len(g.Criteria) > 0 && !g.Terms.Negate {
			g.Grades = s.grades(g.Criteria)
		}
		g.Members = graderRecords(s.Scores, members, nil)
		all = append(all, g)
	}
	return all
}

// grades returns the grades of a rubric's criteria.
func (s agentVScore) grades(criteria []run.CriterionRecord) (grades []score.Grade) {
	details, _ := s.Details.(map[string]any)
	rawScores, _ := details["raw_scores"].(map[string]any)
	for _, c := range criteria {
		for _, a := range s.Assertions {
			m := assertionID().FindStringSubmatch(a.Text)
			if m == nil || m[1] != c.ID {
				continue
			}
			grade := score.Grade{ID: c.ID, Weight: c.Weight, Required: c.Required, Reasoning: a.Evidence}
			if s.Details == nil {
				grade.Satisfied = &a.Passed
			} else if raw, ok := rawScores[c.ID].(float64); ok {
				grade.Score = &raw
			}
			grades = append(grades, grade)
			break
		}
	}
	return grades
}

// findRuns returns the lists of results of AgentV's runs below a folder of results.
func findRuns(folder string) (found []string) {
	for _, place := range []string{"*", "runs/*/*"} {
		for _, name := range indexNames {
			runs, _ := fs.Glob(os.DirFS(folder), path.Join(place, filepath.ToSlash(name)))
			found = append(found, generic.Map(runs, func(run string) string { return filepath.Join(folder, filepath.FromSlash(run)) })...)
		}
	}
	return found
}
