package resultstore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// Replay is a target of AgentV's provider `replay`: the answers that another target has given.
type Replay struct {
	Path         string // of the fixtures or transcripts
	EvalFile     string // its absolute path
	SourceTarget string // that has given the answers; "" for any, of transcripts
	Suite        string // of fixtures
	EvalPath     string // of fixtures, in place of EvalFile
	Variant      string // of fixtures
}

// replayedRow is a line of either kind. A fixture is a whole answer, and a transcript has a line for each message.
type replayedRow struct {
	TestID       string `json:"test_id"`
	Suite        string `json:"suite"`
	EvalPath     string `json:"eval_path"`
	SourceTarget string `json:"source_target"`
	Attempt      int    `json:"attempt"`
	Variant      string `json:"variant"`
	Output       json.RawMessage
	grade.Trace

	Target string   `json:"target"`
	Index  *float64 `json:"message_index"`
	rubric.Message
	Tokens     *grade.Tokens `json:"transcript_token_usage"`
	CostUSD    *float64      `json:"transcript_cost_usd"`
	DurationMS *float64      `json:"transcript_duration_ms"`
}

// OpenFixtures returns a target that gives the fixtures of a replay. As in the reference, exactly one must
// be of a case.
func (r Replay) OpenFixtures() (run.Target, error) {
	answers := map[string][]run.RecordedAnswer{}
	err := eachReplayedRow(r.Path, func(row replayedRow) error {
		if !r.matches(row) {
			return nil
		}
		sub := grade.Submission{Trace: KnownTrace(row.Trace)}
		if sub.Answer, sub.Messages = run.ReadAnswerMessages(row.Output); sub.Messages == nil {
			return errors.New("its `output` is no list of messages")
		}
		answers[row.TestID] = append(answers[row.TestID], run.RecordedAnswer{Submission: sub})
		return nil
	})
	return func(_ context.Context, c *rubric.Case) (grade.Submission, error) {
		if found := answers[c.ID]; len(found) == 1 {
			return found[0].To(c)
		}
		return grade.Submission{}, fmt.Errorf("%s has %d answers of `%s` for the case `%s` of the suite `%s`; it must have one", r.Path, len(answers[c.ID]), r.SourceTarget, c.ID, r.Suite)
	}, err
}

// matches reports whether a fixture is of the replay's suite and target. Attempts after the first are of
// retries.
func (r Replay) matches(row replayedRow) bool {
	named, at := path.Clean(filepath.ToSlash(row.EvalPath)), path.Clean(filepath.ToSlash(cmp.Or(r.EvalPath, r.EvalFile)))
	isFile := row.EvalPath == "" || named == at || r.EvalPath == "" && strings.HasSuffix(at, "/"+named)
	return isFile && row.Suite == r.Suite && row.SourceTarget == r.SourceTarget && row.Attempt == 0 && row.Variant == r.Variant
}

// OpenTranscripts returns a target that gives the answers of transcripts.
func (r Replay) OpenTranscripts() (run.Target, error) {
	rows := map[string][]replayedRow{}
	err := eachReplayedRow(r.Path, func(row replayedRow) error {
		if row.Index == nil {
			return errors.New("it has no `message_index`")
		}
		if r.SourceTarget == "" && rows[row.TestID] != nil && rows[row.TestID][0].Target != row.Target {
			return fmt.Errorf("`%s` has transcripts of two targets, `%s` and `%s`; name one as the `source_target` of a target with `provider: replay`", row.TestID, rows[row.TestID][0].Target, row.Target)
		}
		if r.SourceTarget == "" || row.Target == r.SourceTarget {
			rows[row.TestID] = append(rows[row.TestID], row)
		}
		return nil
	})
	recording := run.Recording{}
	for id, messages := range rows {
		sub := grade.Submission{Trace: KnownTrace(grade.Trace{TokenUsage: messages[0].Tokens, CostUSD: messages[0].CostUSD, DurationMS: messages[0].DurationMS})}
		generic.SortStable(messages, func(a, b replayedRow) int { return cmp.Compare(*a.Index, *b.Index) })
		sub.Messages = append(sub.Messages, generic.Map(messages, func(row replayedRow) rubric.Message { return row.Message })...)
		sub.Answer = run.LastAnswer(sub.Messages)
		recording[id] = run.RecordedAnswer{Submission: sub}
	}
	return recording.Respond, err
}

// KnownTrace returns a trace, or nil if it knows nothing.
func KnownTrace(t grade.Trace) *grade.Trace {
	if t.TokenUsage == nil && t.CostUSD == nil && t.DurationMS == nil {
		return nil
	}
	return &t
}

// IsTranscript reports whether a file begins with a line of a transcript.
func IsTranscript(path string) bool {
	var row struct {
		Index *float64 `json:"message_index"`
		Role  string   `json:"role"`
	}
	return json.Unmarshal(firstLine(path), &row) == nil && row.Index != nil && row.Role != ""
}

// eachReplayedRow calls visit for each line of a file.
func eachReplayedRow(path string, visit func(replayedRow) error) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return disk.FileError(path, err)
	}
	n := 0
	for line := range bytes.Lines(body) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row replayedRow
		err := json.Unmarshal(line, &row)
		if err == nil {
			err = visit(row)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", path, n, err)
		}
	}
	return nil
}
