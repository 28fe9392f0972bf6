package conformance

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func init() {
	adapters["agentv_run"] = runAgentV
	for dialect := range laterProfiles {
		adapters["agentv_run@"+dialect] = runAgentV
	}
}

// runInput is a whole case: the only case of a file, the answer, and the text that the judge answers
// every question with.
type runInput struct {
	File       string            `json:"file"`
	Ext        string            `json:"ext"`
	Files      map[string]string `json:"files"` // others beside the file, by path
	Submission grade.Submission  `json:"submission"`
	Judge      *string           `json:"judge"` // nil: it cannot be reached
}

// runResult is what AgentV made of a case. Status is that of later versions. An evaluator is a score
// and a verdict.
type runResult struct {
	Kind       string   `json:"kind"` // case, nocase if the case is skipped, or loaderror if the file is refused
	Score      *float64 `json:"score"`
	Status     *string  `json:"status"`
	Evaluators [][2]any `json:"evaluators"`
}

// readRuns reads cases that AgentV ran, one a line.
func readRuns(t *testing.T, raw []byte) (cases []testCase) {
	t.Helper()
	if unpacked, err := gzip.NewReader(bytes.NewReader(raw)); err == nil {
		if raw, err = io.ReadAll(unpacked); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, len(raw)+1)
	for lines.Scan() {
		c := decode[struct {
			Version, Name string
			AgentV        json.RawMessage
		}](t, lines.Bytes())
		dialect := strings.Replace(c.Version, "stable", "stable-4.42.4", 1)
		cases = append(cases, testCase{Dialect: dialect, Kind: "agentv_run", Name: c.Name, Input: bytes.Clone(lines.Bytes()), Expected: c.AgentV})
	}
	return cases
}

// runAgentV compares score, status and evaluators to the last bit. A number that is not one, which
// infinite weights make, is null there and 0 here.
func runAgentV(t *testing.T, c testCase) error {
	want := decode[runResult](t, c.Expected)
	for i := range want.Evaluators {
		if want.Evaluators[i][0] == nil {
			want.Score, want.Evaluators[i][0] = new(0.0), 0.0
		}
	}
	if got := runOnly(t, decode[runInput](t, c.Input), cmp.Or(laterProfiles[c.Dialect], score.AgentV)); !reflect.DeepEqual(got, want) {
		return fmt.Errorf("it came to %s", encoded(got))
	}
	return nil
}

func runOnly(t *testing.T, in runInput, profile score.Profile) runResult {
	input := analysis.Input{Path: "x." + cmp.Or(in.Ext, "eval.yaml"), Text: in.File}
	if len(in.Files) > 0 {
		dir := t.TempDir()
		for name, body := range in.Files {
			name = filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(body), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		input = host.NewInput(filepath.Join(dir, input.Path), in.File)
	}
	suite := analysis.Of(input).Suite()
	switch {
	case fatalLoss(suite) != "":
		return runResult{Kind: "loaderror"}
	case len(suite.Cases) == 0:
		return runResult{Kind: "nocase"}
	}
	suite.Cases[0].SharedThreshold = false // AgentV was called with the suite's threshold as its option, which moves gates
	runner := run.Runner{
		Profile: profile,
		Target:  func(context.Context, *rubric.Case) (grade.Submission, error) { return in.Submission, nil },
		Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			if in.Judge == nil {
				return judge.Answer{}, judge.ErrUnreachable
			}
			return judge.Answer{Text: *in.Judge}, nil
		}),
	}
	record := runner.RunCase(t.Context(), suite, suite.Cases[0], func(*run.GraderRecord) {})
	r := runResult{Kind: "case", Score: record.Score, Evaluators: [][2]any{}}
	if record.Execution != nil {
		r.Status = &record.Execution.Status
	}
	if len(suite.Cases[0].Graders) == 0 {
		return r // AgentV does not list the judge that it falls back to
	}
	for _, g := range record.Graders {
		verdict := string(g.Verdict)
		if g.Ungraded != "" && profile.IsV4OrLater() {
			verdict = "skip"
		}
		value := referenceScore(g.Result)
		if g.Score == nil && g.Terms.Negate {
			value = 1 // the reference inverts this 0 too
		}
		r.Evaluators = append(r.Evaluators, [2]any{value, verdict})
	}
	return r
}
