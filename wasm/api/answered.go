package api

import (
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// kept is what a case last came to, and who answered it.
type kept struct {
	run.Kept
	answered answered
}

// answered is what a file that is open beside a document has answered.
type answered struct {
	from string // the file's name; none for what nobody can look up again
	what string // as a digest; none if it has no answer
}

// lastAnswers are those of the text that was asked for last: every case asks the same.
var lastAnswers struct {
	sync.Mutex
	text    string
	answers run.Recording
}

// answersIn are the recorded answers in a text; none if it cannot be read.
func answersIn(body string) run.Recording {
	lastAnswers.Lock()
	defer lastAnswers.Unlock()
	if lastAnswers.answers == nil || lastAnswers.text != body {
		answers, err := run.ReadRecording(strings.NewReader(body))
		if err != nil {
			answers = run.Recording{}
		}
		lastAnswers.text, lastAnswers.answers = body, answers
	}
	return lastAnswers.answers
}

// answered is what a file beside the document answers to a case now.
func (d document) answered(from, id string) answered {
	a := answered{from: from}
	if from == "" || d.beside == nil {
		return a
	}
	body, _ := d.beside.file(from)
	if s, found := answersIn(body)[id]; found {
		a.what = rubric.Digest([]any{s})
	}
	return a
}

// answeredBy is what a run was given as an answer, if a file beside the document has such.
func (p runParams) answeredBy(d document) (a answered) {
	if d.beside == nil || p.Target == "" || p.Target == self {
		return a
	}
	if _, found := d.beside.file(p.Target); !found {
		return a
	}
	a.from = p.Target
	if p.Submission != nil {
		a.what = rubric.Digest([]any{*p.Submission})
	}
	return a
}
