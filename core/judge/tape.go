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

// Recorded is one line of a tape: a question and how it was answered. The
// question's words are there for people; only its fingerprint is looked up.
type Recorded struct {
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
	var broken error
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		mu.Lock()
		err := broken
		mu.Unlock()
		if err != nil {
			return Answer{}, err
		}
		a, err := j.Ask(ctx, q)
		if err != nil {
			return a, err
		}
		line, err := json.Marshal(Recorded{
			Fingerprint: q.Fingerprint(), System: q.System, User: q.User,
			Attempt: q.Attempt, Sample: q.Sample, Answer: a.Text, Model: a.Model, Judge: a.Judge, Judges: names, Usage: a.Usage,
		})
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			if _, err = w.Write(append(line, '\n')); err != nil {
				broken = unkept{err}
				return Answer{}, broken
			}
		}
		return a, err
	})
}

// unkept is an answer that could not be recorded.
type unkept struct{ error }

func (u unkept) Error() string { return "judge record: " + u.error.Error() }

func (u unkept) Unwrap() error { return u.error }

func (unkept) Is(target error) bool { return target == ErrUnreachable }

// Replay answers from a recording, by fingerprint. A question that was never
// recorded is an error: the prompt, the case or the answer has changed.
type Replay struct {
	Answers map[string]Answer
	Judges  []string // the names of whose answers they are; none if not all tell the same
}

// unrecorded is a question that a recording has no answer to: nobody can be
// reached who has one.
type unrecorded struct {
	fingerprint, about string
	sample             int
}

func (u unrecorded) Error() string {
	times := ""
	if u.sample > 0 {
		times = fmt.Sprintf(", asked %d times", u.sample+1)
	}
	return fmt.Sprintf("judge replay: no recorded answer for the question %s about `%s`%s; record the run again", u.fingerprint, u.about, times)
}

func (unrecorded) Is(target error) bool { return target == ErrUnreachable || target == ErrUnrecorded }

// Ask looks the question up. An error wraps [ErrUnreachable] and [ErrUnrecorded].
func (r Replay) Ask(_ context.Context, q Question) (Answer, error) {
	fingerprint := q.Fingerprint()
	a, ok := r.Answers[fingerprint]
	if !ok {
		return Answer{}, unrecorded{fingerprint[:12], excerpt.Of(cmp.Or(q.Brief.Question, q.User), 60), q.Sample}
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
			var rec Recorded
			bad := json.Unmarshal(line, &rec)
			var syntax *json.SyntaxError
			switch {
			case errors.As(bad, &syntax) && syntax.Error() == "unexpected end of JSON input":
				continue
			case errors.As(bad, &syntax):
				return Replay{}, fmt.Errorf("judge replay: line %d is no recorded answer: it is not JSON", n)
			case bad != nil:
				return Replay{}, fmt.Errorf("judge replay: line %d is no recorded answer: %w", n, bad)
			case rec.Fingerprint == "":
				return Replay{}, fmt.Errorf("judge replay: line %d is no recorded answer: it has no `fingerprint`", n)
			}
			judges[rec.Fingerprint] = rec.Judges
			replay.Answers[rec.Fingerprint] = Answer{Text: rec.Answer, Model: rec.Model, Judge: rec.Judge, Usage: rec.Usage, Kept: true}
		}
		if err == io.EOF {
			replay.Judges = same(judges)
			return replay, nil
		}
	}
}

// same are the names that all answers are by; none if they are by several.
func same(judges map[string][]string) (names []string) {
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
