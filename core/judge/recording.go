package judge

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// RecordedAnswer is one line of a recording: a question and its answer. Look-up uses the
// fingerprint alone; the question's text is there for people.
type RecordedAnswer struct {
	Fingerprint string   `json:"fingerprint"`
	System      string   `json:"system"`
	User        string   `json:"user"`
	Attempt     int      `json:"attempt,omitempty"`
	Sample      int      `json:"sample,omitempty"`
	Trial       int      `json:"trial,omitempty"` // see [WithTrial]
	Answer      string   `json:"answer"`
	Model       string   `json:"model,omitempty"`
	Judge       string   `json:"judge,omitempty"`  // of a panel
	Judges      []string `json:"judges,omitempty"` // the judge's name, or the names of all judges of the panel
	Usage       Usage    `json:"usage,omitzero"`
}

type trialKey struct{}

// WithTrial returns a context for questions of a trial of a case, from 0, or for those of the best one with -1.
// Trials may ask the same question and have different answers.
func WithTrial(ctx context.Context, trial int) context.Context {
	return context.WithValue(ctx, trialKey{}, trial)
}

// TrialOf returns the trial of [WithTrial], and false for a case that runs once.
func TrialOf(ctx context.Context) (trial int, ok bool) {
	trial, ok = ctx.Value(trialKey{}).(int)
	return trial, ok
}

// key is what a replay looks an answer up by.
func key(fingerprint string, trial int) string {
	if trial <= 0 {
		return fingerprint
	}
	return fmt.Sprint(fingerprint, " ", trial)
}

// Record returns a judge that asks j and writes each answer to w at once, as one line of JSON.
// names holds the name of j, or those of a panel's judges. Errors of j are not recorded. If w
// fails, Ask returns an error that wraps [ErrUnreachable], because a recording with gaps would
// replay as a failure. From then on j is not asked, as its answers could not be recorded.
func Record(j Judge, names []string, w io.Writer) Judge {
	var mu sync.Mutex
	var writeErr error
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		mu.Lock()
		err := writeErr
		mu.Unlock()
		if err != nil {
			return Answer{}, err
		}
		a, err := j.Ask(ctx, q)
		if err != nil {
			return a, err
		}
		trial, _ := TrialOf(ctx)
		line, err := json.Marshal(RecordedAnswer{
			Fingerprint: q.Fingerprint(), System: q.System, User: q.User,
			Attempt: q.Attempt, Sample: q.Sample, Trial: max(trial, 0), Answer: a.Text, Model: a.Model, Judge: a.Judge, Judges: names, Usage: a.Usage,
		})
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			if _, err = w.Write(append(line, '\n')); err != nil {
				writeErr = recordingError{err}
				return Answer{}, writeErr
			}
		}
		return a, err
	})
}

type recordingError struct{ error }

func (e recordingError) Error() string { return "judge record: " + e.error.Error() }

func (e recordingError) Unwrap() error { return e.error }

func (recordingError) Is(target error) bool { return target == ErrUnreachable }

// Replay answers from a recording, by fingerprint and trial, or for a trial without an answer of its own, by
// fingerprint. A question without a recorded answer is an error: the prompt, the case or the submission has changed.
type Replay struct {
	Answers map[string]Answer
	Judges  []string // names of the recorded judges; none if lines differ
}

type missingAnswerError struct {
	fingerprint, topic string
	sample             int
}

func (e missingAnswerError) Error() string {
	times := ""
	if e.sample > 0 {
		times = fmt.Sprintf(", asked %d times", e.sample+1)
	}
	return fmt.Sprintf("judge replay: no recorded answer for the question %s about `%s`%s; record the run again", e.fingerprint, e.topic, times)
}

func (missingAnswerError) Is(target error) bool {
	return target == ErrUnreachable || target == ErrUnrecorded
}

// Ask returns the recorded answer. Its error wraps [ErrUnreachable] and [ErrUnrecorded].
func (r Replay) Ask(ctx context.Context, q Question) (Answer, error) {
	fingerprint := q.Fingerprint()
	trial, _ := TrialOf(ctx)
	a, ok := r.Answers[key(fingerprint, trial)]
	if !ok {
		a, ok = r.Answers[fingerprint]
	}
	if !ok {
		return Answer{}, missingAnswerError{fingerprint[:12], excerpt.Shorten(cmp.Or(q.Brief.Question, q.User), 60), q.Sample}
	}
	return a, nil
}

// ReadReplay reads a recording that [Record] wrote. If a question is repeated in a trial, its last answer
// counts. An incomplete line is skipped: its run was killed while writing it, and never used the
// answer.
func ReadReplay(r io.Reader) (Replay, error) {
	replay, judges := Replay{Answers: map[string]Answer{}}, map[string][]string{}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return Replay{}, fmt.Errorf("judge replay: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var rec RecordedAnswer
			decodeErr := json.Unmarshal(line, &rec)
			var syntax *json.SyntaxError
			switch {
			case errors.As(decodeErr, &syntax) && syntax.Error() == "unexpected end of JSON input":
				continue
			case errors.As(decodeErr, &syntax):
				return Replay{}, fmt.Errorf("judge replay: line %d is not a recorded answer: it is not JSON", n)
			case decodeErr != nil:
				return Replay{}, fmt.Errorf("judge replay: line %d is not a recorded answer: %w", n, decodeErr)
			case rec.Fingerprint == "":
				return Replay{}, fmt.Errorf("judge replay: line %d is not a recorded answer: it has no `fingerprint`", n)
			}
			judges[rec.Fingerprint] = rec.Judges
			replay.Answers[key(rec.Fingerprint, rec.Trial)] = Answer{Text: rec.Answer, Model: rec.Model, Judge: rec.Judge, Usage: rec.Usage, Cached: true}
		}
		if err == io.EOF {
			replay.Judges = commonNames(judges)
			return replay, nil
		}
	}
}

// commonNames returns the names that all answers share, or nil if they differ.
func commonNames(judges map[string][]string) (names []string) {
	for _, names = range judges {
		break
	}
	for _, others := range judges {
		if !slices.Equal(names, others) {
			return nil
		}
	}
	return names
}
