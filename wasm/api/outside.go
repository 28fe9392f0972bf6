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

// Answered is what a judge has said to a question, or why it said nothing, and
// whether that is because nobody could be reached.
type Answered struct {
	Text        string      `json:"text"`
	Model       string      `json:"model,omitempty"`
	Judge       string      `json:"judge,omitempty"` // of a panel
	Usage       judge.Usage `json:"usage,omitzero"`
	Kept        bool        `json:"kept,omitempty"` // it was there before the question
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

// Printed is what a program has left behind, or why it had no regular end.
type Printed struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Code   int    `json:"code"`
	Error  string `json:"error,omitempty"`
}

// errOpen is why nothing is graded yet that waits for something from outside.
var errOpen = errors.New("there is no answer yet")

// outside is a judge and a sandbox whose answers are there already. It keeps what
// it has none to.
type outside struct {
	answers map[string]Answered
	replay  bool
	printed map[string]Printed

	lock      sync.Mutex
	questions []judge.Question
	programs  []Program
}

// settled reports whether nothing was missing.
func (o *outside) settled() bool { return len(o.questions)+len(o.programs) == 0 }

// Ask gives the answer to a question.
func (o *outside) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	a, known := o.answers[q.Fingerprint()]
	switch {
	case known && a.Unreachable:
		return judge.Answer{}, unreachable{a.Error}
	case known && a.Error != "":
		return judge.Answer{}, errors.New(a.Error)
	case known:
		return judge.Answer{Text: a.Text, Model: a.Model, Judge: a.Judge, Usage: a.Usage, Kept: a.Kept}, nil
	case o.replay:
		return judge.Replay{}.Ask(ctx, q) // which says what is missing
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	if !slices.ContainsFunc(o.questions, func(other judge.Question) bool { return other.Fingerprint() == q.Fingerprint() }) {
		o.questions = append(o.questions, q)
	}
	return judge.Answer{}, errOpen
}

// run gives what a program left behind.
func (o *outside) run(_ context.Context, c grade.Command) (grade.Output, error) {
	told, err := json.Marshal([]any{c.Argv, c.Stdin})
	if err != nil {
		return grade.Output{}, err
	}
	sum := sha256.Sum256(told)
	key := hex.EncodeToString(sum[:])
	if p, known := o.printed[key]; known {
		if p.Error != "" {
			return grade.Output{Code: -1}, errors.New(p.Error)
		}
		return grade.Output{Stdout: []byte(p.Stdout), Stderr: []byte(p.Stderr), Code: p.Code}, nil
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	if !slices.ContainsFunc(o.programs, func(p Program) bool { return p.Key == key }) {
		o.programs = append(o.programs, Program{Key: key, Argv: c.Argv, Stdin: string(c.Stdin)})
	}
	return grade.Output{}, errOpen
}

// unreachable is of a judge that could not be reached.
type unreachable struct{ said string }

func (u unreachable) Error() string { return u.said }

func (unreachable) Is(target error) bool { return target == judge.ErrUnreachable }
