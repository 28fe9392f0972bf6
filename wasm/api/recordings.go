package api

import (
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// recordingParams are the lines that `rubric run --record` writes.
type recordingParams struct {
	Text string `json:"text"`
}

// JudgeRecording is what a judge has answered, by the keys of the questions.
type JudgeRecording struct {
	Answers map[string]JudgeAnswer `json:"answers"`
	Judges  []string               `json:"judges,omitempty"` // the name of whose they are, or the names of a panel, where all tell the same
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

// Submissions are recorded answers, by the ids of their cases.
type Submissions struct {
	Answers run.Recording `json:"answers"`
}

func readSubmissions(p recordingParams) (Submissions, error) {
	answers, err := run.ReadRecording(strings.NewReader(p.Text))
	if err != nil {
		return Submissions{}, failf(Refused, "%s", err)
	}
	return Submissions{answers}, nil
}
