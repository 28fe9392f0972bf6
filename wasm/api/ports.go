package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// JudgeAnswer is a judge's reply to a question, or an error. Unreachable says that the judge could
// not be reached.
type JudgeAnswer struct {
	Text        string      `json:"text"`
	Model       string      `json:"model,omitempty"`
	Judge       string      `json:"judge,omitempty"` // the member of a panel
	Usage       judge.Usage `json:"usage,omitzero"`
	Cached      bool        `json:"kept,omitempty"` // from a cache or a recording
	Error       string      `json:"error,omitempty"`
	Unreachable bool        `json:"unreachable,omitempty"`
}

// Program is a WebAssembly grader (a WASI command) to run: its arguments, the module's file first,
// and its standard input. Its output is passed under Key.
type Program struct {
	Key   string   `json:"key"`
	Argv  []string `json:"argv"`
	Stdin string   `json:"stdin"`
}

// ProgramOutput is the output of a program, or an error if it did not end normally.
type ProgramOutput struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Code   int    `json:"code"`
	Error  string `json:"error,omitempty"`
}

// errNotAnswered is the error of a grader that waits for an answer or an output.
var errNotAnswered = errors.New("there is no answer yet")

// ports is a judge and a sandbox with prepared answers. It records the questions and programs that
// have none.
type ports struct {
	answers map[string]JudgeAnswer
	replay  bool
	printed map[string]ProgramOutput

	mu        sync.Mutex
	questions []judge.Question
	programs  []Program
}

// isComplete reports whether no answer was missing.
func (ps *ports) isComplete() bool { return len(ps.questions)+len(ps.programs) == 0 }

// Ask returns the prepared answer to a question.
func (ps *ports) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	a, found := ps.answers[q.Fingerprint()]
	switch {
	case found && a.Unreachable:
		return judge.Answer{}, unreachable{a.Error}
	case found && a.Error != "":
		return judge.Answer{}, errors.New(a.Error)
	case found:
		return judge.Answer{Text: a.Text, Model: a.Model, Judge: a.Judge, Usage: a.Usage, Cached: a.Cached}, nil
	case ps.replay:
		return judge.Replay{}.Ask(ctx, q) // returns the error that names the missing answer
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if !slices.ContainsFunc(ps.questions, func(other judge.Question) bool { return other.Fingerprint() == q.Fingerprint() }) {
		ps.questions = append(ps.questions, q)
	}
	return judge.Answer{}, errNotAnswered
}

// runProgram returns the prepared output of a program.
func (ps *ports) runProgram(_ context.Context, c grade.Command) (grade.Output, error) {
	encoded, err := json.Marshal([]any{c.Argv, c.Stdin})
	if err != nil {
		return grade.Output{}, err
	}
	sum := sha256.Sum256(encoded)
	key := hex.EncodeToString(sum[:])
	if p, known := ps.printed[key]; known {
		if p.Error != "" {
			return grade.Output{Code: -1}, errors.New(p.Error)
		}
		return grade.Output{Stdout: []byte(p.Stdout), Stderr: []byte(p.Stderr), Code: p.Code}, nil
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if !slices.ContainsFunc(ps.programs, func(p Program) bool { return p.Key == key }) {
		ps.programs = append(ps.programs, Program{Key: key, Argv: c.Argv, Stdin: string(c.Stdin)})
	}
	return grade.Output{}, errNotAnswered
}

// unreachable is the error of a judge that could not be reached.
type unreachable struct{ message string }

func (u unreachable) Error() string { return u.message }

func (unreachable) Is(target error) bool { return target == judge.ErrUnreachable }

// Question is a question to a judge. Its reply is passed under Key. Schema is null if any text is
// valid.
type Question struct {
	Key    string          `json:"key"`
	System string          `json:"system"`
	User   string          `json:"user"`
	Schema json.RawMessage `json:"schema"`
	Sample int             `json:"sample,omitempty"` // number of this sample, from 0, if several independent answers are requested
}

// GivenReplies is a judge that returns prepared replies: a list in the order of the questions, or
// an object by their keys. It answers one question at a time.
type GivenReplies struct {
	byKey      map[string]string
	inOrder    []string
	asked      int
	unanswered []judge.Question
}

// ParseReplies reads replies from JSON. Empty JSON means no replies.
func ParseReplies(raw json.RawMessage) (*GivenReplies, error) {
	g := &GivenReplies{}
	if len(raw) == 0 || json.Unmarshal(raw, &g.inOrder) == nil || json.Unmarshal(raw, &g.byKey) == nil {
		return g, nil
	}
	return nil, failf(BadParams, "`replies` must be a list of texts, or an object of texts by question key")
}

// Ask returns the reply to a question, or records the question if there is none.
func (g *GivenReplies) Ask(_ context.Context, q judge.Question) (judge.Answer, error) {
	if reply, ok := g.byKey[q.Fingerprint()]; ok {
		return judge.Answer{Text: reply}, nil
	}
	if g.asked++; g.asked <= len(g.inOrder) {
		return judge.Answer{Text: g.inOrder[g.asked-1]}, nil
	}
	g.unanswered = append(g.unanswered, q)
	return judge.Answer{}, fmt.Errorf("there is no reply to question %d", g.asked)
}

// Questions returns the questions without a reply; never nil.
func (g *GivenReplies) Questions() []Question { return toQuestions(g.unanswered) }

func toQuestions(open []judge.Question) []Question {
	all := []Question{}
	for _, q := range open {
		all = append(all, Question{q.Fingerprint(), q.System, q.User, q.Schema, q.Sample})
	}
	return all
}

// recordingParams are the lines that `rubric run --record` writes.
type recordingParams struct {
	Text string `json:"text"`
}

// JudgeRecording holds a judge's answers by question key.
type JudgeRecording struct {
	Answers map[string]JudgeAnswer `json:"answers"`
	Judges  []string               `json:"judges,omitempty"` // the judge's name, or the names of a panel's members, if all lines name the same
}

func readJudgeRecording(p recordingParams) (JudgeRecording, error) {
	replay, err := judge.ReadReplay(strings.NewReader(p.Text))
	if err != nil {
		return JudgeRecording{}, failf(Refused, "%s", err)
	}
	t := JudgeRecording{map[string]JudgeAnswer{}, replay.Judges}
	for key, a := range replay.Answers {
		t.Answers[key] = JudgeAnswer{Text: a.Text, Model: a.Model, Judge: a.Judge, Usage: a.Usage, Cached: a.Cached}
	}
	return t, nil
}

// Submissions are recorded answers by case id.
type Submissions struct {
	Answers run.Recording `json:"answers"`
}

func readSubmissions(p recordingParams) (Submissions, error) {
	answers, err := run.ReadRecording([]byte(p.Text))
	if err != nil {
		return Submissions{}, failf(Refused, "%s", err)
	}
	return Submissions{answers}, nil
}
