package api

import (
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// storedResult is what a case last came to, and who answered it.
type storedResult struct {
	run.StoredResult
	answer answerSource
}

// answerSource is what a file that is open beside a document has answered.
type answerSource struct {
	file   string // the file's name; none for what nobody can look up again
	digest string // as a digest; none if it has no answer
}

// recordingCache are those of the text that was asked for last: every case asks the same.
var recordingCache struct {
	sync.Mutex
	text    string
	answers run.Recording
}

// parseAnswers are the recorded answers in a text; none if it cannot be read.
func parseAnswers(body string) run.Recording {
	recordingCache.Lock()
	defer recordingCache.Unlock()
	if recordingCache.answers == nil || recordingCache.text != body {
		answers, err := run.ReadRecording(strings.NewReader(body))
		if err != nil {
			answers = run.Recording{}
		}
		recordingCache.text, recordingCache.answers = body, answers
	}
	return recordingCache.answers
}

// answerFrom is what a file beside the document answers to a case now.
func (d document) answerFrom(from, id string) answerSource {
	source := answerSource{file: from}
	if from == "" || d.deps == nil {
		return source
	}
	body, _ := d.deps.file(from)
	if s, found := parseAnswers(body)[id]; found {
		source.digest = rubric.Digest([]any{s})
	}
	return source
}

// answerSource is what a run was given as an answer, if a file beside the document has such.
func (p runParams) answerSource(d document) (source answerSource) {
	if d.deps == nil || p.Target == "" || p.Target == selfTarget {
		return source
	}
	if _, found := d.deps.file(p.Target); !found {
		return source
	}
	source.file = p.Target
	if p.Submission != nil {
		source.digest = rubric.Digest([]any{*p.Submission})
	}
	return source
}
