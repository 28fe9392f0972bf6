// Package judge is the port to whatever answers questions about a submission: a model, a
// recording, a person or the offline judge.
//
// A judge has one method, so wrappers compose: they take a [Judge] and return one. A judge
// answers in text; package grade decodes it. Nothing here opens a connection, reads a clock or
// knows a provider.
package judge

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
)

// Judge answers one question. It must be safe for concurrent use. An error means that there is no
// answer; a wrong or unusable answer is still an Answer.
type Judge interface {
	Ask(context.Context, Question) (Answer, error)
}

// Func adapts a function to the Judge interface.
type Func func(context.Context, Question) (Answer, error)

// Ask calls f.
func (f Func) Ask(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

// ErrUnreachable is wrapped by errors of judges and targets that could not be reached at all, in
// contrast to those that answered badly.
var ErrUnreachable = errors.New("could not be reached")

// ErrLimit is wrapped by errors of a limit that leaves no room for a question. Asking again does
// not help.
var ErrLimit = errors.New("is reached")

// ErrUnrecorded is wrapped by the error of a recording that lacks the answer to a question. Other
// answers cannot replace it.
var ErrUnrecorded = errors.New("is not recorded")

// Question is everything that a judge is sent.
type Question struct {
	System string          // role of the judge and form of the reply
	User   string          // what to judge
	Schema json.RawMessage // draft-07 JSON Schema of the reply; nil if any text is valid

	// Messages is a conversation to continue, in place of System and User. Judges have none; it is
	// for models as targets.
	Messages []Message

	// Judge is the judge that a grader names; "" means the run's.
	Judge string

	// Brief is the same content as data, for judges that do not read prose.
	Brief Brief

	Attempt int // 0 at first; counts retries after faulty replies
	Sample  int // index of this one among several independent answers, from 0

	FirstUser string                  // User of the first attempt, if a question can be retried; see [Cache]
	Usable    func(reply string) bool // whether a reply is usable; nil accepts any
}

// Message is one message of a conversation. Its role is system, user, assistant or tool. Each tool
// message answers a call of the assistant message before it, and all calls are answered.
type Message struct {
	Role  string
	Text  string
	Calls []Call // of an assistant message
	Call  Call   // that a tool message answers
}

// Call is a tool call.
type Call struct {
	ID    string // unique within the conversation
	Tool  string
	Input json.RawMessage // an object
}

// Brief holds the parts of a question.
type Brief struct {
	Question   string
	Expected   string // the expected outcome
	Reference  string // a reference answer, "" if none
	Submission string // the text to judge
	Items      []Item // the criteria; none for a free-form judgement
}

// Item is one criterion to judge.
type Item struct {
	ID                 string
	Text               string
	Ranged             bool     // graded 0–10 instead of yes or no
	Bands              []string // meaning of the scores, low to high, as "0–4: text"
	SatisfiedByDefault bool     // satisfied unless the submission contradicts it
}

// Answer is a judge's reply, and what it used.
type Answer struct {
	Text   string
	Model  string // the model that answered, in the provider's words
	Judge  string // the judge of a [Panel] that answered; otherwise ""
	Usage  Usage
	Cached bool // from a cache or a recording
}

// Reply is an answer as records have it.
type Reply struct {
	Text     string   `json:"text"`
	Judge    string   `json:"judge,omitempty"` // of a panel
	Model    string   `json:"model,omitempty"`
	Usage    Usage    `json:"usage,omitzero"`
	Cached   bool     `json:"kept,omitempty"`    // from a cache or a recording: nothing was paid for it
	Attempt  int      `json:"attempt,omitempty"` // of a grader's question, as is Sample
	Sample   int      `json:"sample,omitempty"`
	Problems []string `json:"problems,omitempty"` // why it is not usable
}

// Reply returns the answer for a record.
func (a Answer) Reply() Reply {
	return Reply{Text: a.Text, Judge: a.Judge, Model: a.Model, Usage: a.Usage, Cached: a.Cached}
}

// ReplyTo returns the answer to a grader's question for a record, with why it is not usable.
func (a Answer) ReplyTo(q Question, problems []string) Reply {
	r := a.Reply()
	r.Attempt, r.Sample, r.Problems = q.Attempt, q.Sample, problems
	return r
}

// WithoutCached returns replies of which none is marked as cached.
func WithoutCached(replies []Reply) []Reply {
	replies = slices.Clone(replies)
	for i := range replies {
		replies[i].Cached = false
	}
	return replies
}

// Usage counts tokens (0 if unknown) and cost in US dollars (nil if unknown).
type Usage struct {
	Input  int      `json:"input,omitempty"`
	Output int      `json:"output,omitempty"`
	Cost   *float64 `json:"cost_usd,omitempty"`
}

// Fingerprint returns the SHA-256, in hexadecimal, of everything that a judge is sent. It is
// equal for questions that deserve the same answer. The brief is left out because it repeats the
// content, and so are fields about the use of the answer.
func (q Question) Fingerprint() string {
	var content []byte
	for _, part := range []string{q.System, q.User, string(q.Schema)} {
		content = binary.BigEndian.AppendUint64(content, uint64(len(part))) // lengths keep the boundaries between parts
		content = append(content, part...)
	}
	if len(q.Messages) > 0 {
		messages, _ := json.Marshal(q.Messages) // inputs that are not JSON are equal, which no model is sent
		content = append(content, messages...)
	}
	content = append(content, q.Judge...)
	content = binary.BigEndian.AppendUint64(content, uint64(q.Attempt))
	content = binary.BigEndian.AppendUint64(content, uint64(q.Sample))
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
