package judge

import (
	"context"
	"encoding/json"
	"errors"
)

// Judge answers one question. It must be safe for concurrent use. An error
// means that there is no answer; a wrong or useless answer is an Answer.
type Judge interface {
	Ask(context.Context, Question) (Answer, error)
}

// Func is a function that is a Judge.
type Func func(context.Context, Question) (Answer, error)

// Ask calls f.
func (f Func) Ask(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

// ErrUnreachable is wrapped by errors that say a judge or target could not be
// reached at all, as opposed to having answered badly.
var ErrUnreachable = errors.New("could not be reached")

// ErrLimit is wrapped by the error of a limit that leaves no room for a question, nor will
// when that is asked again.
var ErrLimit = errors.New("is reached")

// ErrUnrecorded is wrapped by the error of a recording that lacks the answer to a
// question. No number of other answers makes up for that one.
var ErrUnrecorded = errors.New("is not recorded")

// Question is everything a judge is told.
type Question struct {
	System string          // who the judge is and the form of the reply
	User   string          // what to judge
	Schema json.RawMessage // draft-07 JSON Schema of the reply; nil if any text will do

	// Brief is the same content, not as prose: for judges that read no prose.
	Brief Brief

	Attempt int // 0 at first; a repeat after a faulty reply counts up
	Sample  int // which of several independent answers is wanted, from 0

	FirstUser string                  // what User was at first, of what may be asked again; see [Cache]
	Usable    func(reply string) bool // whether a reply can be used; nil: any can
}

// Brief is what a question is about.
type Brief struct {
	Question   string
	Expected   string // the expected outcome
	Reference  string // a reference answer, "" if none
	Submission string // what is judged
	Items      []Item // what to judge it on; none for a free-form judgement
}

// Item is one thing to judge.
type Item struct {
	ID                 string
	Text               string
	Ranged             bool     // wants 0–10, not yes or no
	Bands              []string // what the scores mean, low to high, as "0–4: text"
	SatisfiedByDefault bool     // satisfied unless the submission contradicts it
}

// Answer is what a judge said, and what it took.
type Answer struct {
	Text   string
	Model  string // who answered, as the provider names it
	Judge  string // whose answer it is, of a [Panel]; "" without one
	Usage  Usage
	Cached bool // it was there before the question: in a cache, or in a recording
}

// Usage counts tokens, where zero means not told, and what they cost in US
// dollars, where nil means that nobody knows.
type Usage struct {
	Input  int      `json:"input,omitempty"`
	Output int      `json:"output,omitempty"`
	Cost   *float64 `json:"cost_usd,omitempty"`
}
