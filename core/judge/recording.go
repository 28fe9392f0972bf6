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

// RecordedAnswer is one line of a tape: a question and how it was answered. The
// question's words are there for people; only its fingerprint is looked up.
type RecordedAnswer struct {
	Fingerprint string   `json:"fingerprint"`
	System      string   `json:"system"`
	User        string   `json:"user"`
	Attempt     int      `json:"attempt,omitempty"`
	Sample      int      `json:"sample,omitempty"`
	Answer      string   `json:"answer"`
	Model       string   `json:"model,omitempty"`
	Judge       string   `json:"judge,omitempty"`  // of a panel
	Judges      []string `json:"judges,omitempty"` // the name of who was asked, or the names of all of a panel
	Usage       Usage    `json:"usage,omitzero"`
}

// Record passes questions on to j, which has a name or, as a panel, several, and writes
// each answer to w as one line of JSON, as soon as it is there. Failures to answer are
// not written. An error of w is an error of Ask, which wraps [ErrUnreachable], as a
// recording with holes would replay as a failure; from then on j is not asked for what
// could not be kept.
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
		line, err := json.Marshal(RecordedAnswer{
			Fingerprint: q.Fingerprint(), System: q.System, User: q.User,
			Attempt: q.Attempt, Sample: q.Sample, Answer: a.Text, Model: a.Model, Judge: a.Judge, Judges: names, Usage: a.Usage,
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

// recordingError is an answer that could not be recorded.
type recordingError struct{ error }

func (e recordingError) Error() string { return "judge record: " + e.error.Error() }

func (e recordingError) Unwrap() error { return e.error }

func (recordingError) Is(target error) bool { return target == ErrUnreachable }

// Replay answers from a recording, by fingerprint. A question that was never
// recorded is an error: the prompt, the case or the answer has changed.
type Replay struct {
	Answers map[string]Answer
	Judges  []string // the names of whose answers they are; none if not all tell the same
}

// missingAnswerError is a question that a recording has no answer to: nobody can be
// reached who has one.
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

// Ask looks the question up. An error wraps [ErrUnreachable] and [ErrUnrecorded].
func (r Replay) Ask(_ context.Context, q Question) (Answer, error) {
	fingerprint := q.Fingerprint()
	a, ok := r.Answers[fingerprint]
	if !ok {
		return Answer{}, missingAnswerError{fingerprint[:12], excerpt.Shorten(cmp.Or(q.Brief.Question, q.User), 60), q.Sample}
	}
	return a, nil
}

// ReadReplay reads what [Record] wrote. Of a repeated question the last answer
// counts. A line that breaks off is left out: it was being written when its run
// was killed, so that nobody has had the answer.
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
				return Replay{}, fmt.Errorf("judge replay: line %d is no recorded answer: it is not JSON", n)
			case decodeErr != nil:
				return Replay{}, fmt.Errorf("judge replay: line %d is no recorded answer: %w", n, decodeErr)
			case rec.Fingerprint == "":
				return Replay{}, fmt.Errorf("judge replay: line %d is no recorded answer: it has no `fingerprint`", n)
			}
			judges[rec.Fingerprint] = rec.Judges
			replay.Answers[rec.Fingerprint] = Answer{Text: rec.Answer, Model: rec.Model, Judge: rec.Judge, Usage: rec.Usage, Cached: true}
		}
		if err == io.EOF {
			replay.Judges = commonNames(judges)
			return replay, nil
		}
	}
}

// commonNames are the names that all answers are by; none if they are by several.
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
