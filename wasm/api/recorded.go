package api

import (
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// tapeParams are the lines that `rubric run --record` writes.
type tapeParams struct {
	Text string `json:"text"`
}

// Tape is what a judge has answered, by the keys of the questions.
type Tape struct {
	Answers map[string]Answered `json:"answers"`
	Judges  []string            `json:"judges,omitempty"` // the name of whose they are, or the names of a panel, where all tell the same
}

func tape(p tapeParams) (Tape, error) {
	replay, err := judge.ReadReplay(strings.NewReader(p.Text))
	if err != nil {
		return Tape{}, failf(Refused, "%s", err)
	}
	t := Tape{map[string]Answered{}, replay.Judges}
	for key, a := range replay.Answers {
		t.Answers[key] = Answered{Text: a.Text, Model: a.Model, Judge: a.Judge, Usage: a.Usage, Kept: a.Kept}
	}
	return t, nil
}

// Submissions are recorded answers, by the ids of their cases.
type Submissions struct {
	Answers run.Recording `json:"answers"`
}

func recording(p tapeParams) (Submissions, error) {
	answers, err := run.ReadRecording(strings.NewReader(p.Text))
	if err != nil {
		return Submissions{}, failf(Refused, "%s", err)
	}
	return Submissions{answers}, nil
}
