package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
)

// JudgeAnswer is what a judge has said to a question, or why it said nothing, and
// whether that is because nobody could be reached.
type JudgeAnswer struct {
	Text        string      `json:"text"`
	Model       string      `json:"model,omitempty"`
	Judge       string      `json:"judge,omitempty"` // of a panel
	Usage       judge.Usage `json:"usage,omitzero"`
	Cached      bool        `json:"kept,omitempty"` // it was there before the question
	Error       string      `json:"error,omitempty"`
	Unreachable bool        `json:"unreachable,omitempty"`
}

// Program is a grader to be run that is a WebAssembly module (a WASI command): its
// arguments, the module's file first, and its standard input. Key is what it leaves
// behind is given under.
type Program struct {
	Key   string   `json:"key"`
	Argv  []string `json:"argv"`
	Stdin string   `json:"stdin"`
}

// ProgramOutput is what a program has left behind, or why it had no regular end.
type ProgramOutput struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Code   int    `json:"code"`
	Error  string `json:"error,omitempty"`
}

// errNotAnswered is why nothing is graded yet that waits for something from outside.
var errNotAnswered = errors.New("there is no answer yet")

// ports is a judge and a sandbox whose answers are there already. It keeps what
// it has none to.
type ports struct {
	answers map[string]JudgeAnswer
	replay  bool
	printed map[string]ProgramOutput

	mu        sync.Mutex
	questions []judge.Question
	programs  []Program
}

// isComplete reports whether nothing was missing.
func (ps *ports) isComplete() bool { return len(ps.questions)+len(ps.programs) == 0 }

// Ask gives the answer to a question.
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
		return judge.Replay{}.Ask(ctx, q) // which says what is missing
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if !slices.ContainsFunc(ps.questions, func(other judge.Question) bool { return other.Fingerprint() == q.Fingerprint() }) {
		ps.questions = append(ps.questions, q)
	}
	return judge.Answer{}, errNotAnswered
}

// runProgram gives what a program left behind.
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

// unreachable is of a judge that could not be reached.
type unreachable struct{ message string }

func (u unreachable) Error() string { return u.message }

func (unreachable) Is(target error) bool { return target == judge.ErrUnreachable }
