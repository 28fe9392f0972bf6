package offline

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/rubric-ls/rubric/core/judge"
)

// Name is what results call this judge.
const Name = "offline"

// Notice is what stands wherever its verdicts are shown.
const Notice = "graded by a lexical stand-in, not a model: it looks for the words of each criterion and understands nothing"

// caveat is the notice in short, for each reasoning.
const caveat = " (lexical stand-in, not a model)"

// Judge is the offline judge. It is safe for concurrent use: it has no state.
type Judge struct{}

var errForm = errors.New("judge offline: it only grades, and what is asked for is neither checks of criteria nor a `score`")

// Ask answers from the question's brief, in the form that its items and schema
// ask for. It fails only when ctx is done or when the reply would be no grade.
func (Judge) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	if err := ctx.Err(); err != nil {
		return judge.Answer{}, err
	}
	var reply any
	switch s := read(q.Brief.Submission); {
	case len(q.Brief.Items) > 0:
		reply = checks(ctx, s, q.Brief.Items)
	case wantsScore(q.Schema):
		reply = freeform(s, q.Brief)
	default:
		return judge.Answer{}, errForm
	}
	if ctx.Err() != nil {
		return judge.Answer{}, context.Cause(ctx)
	}
	text, err := json.Marshal(reply)
	return judge.Answer{Text: string(text), Model: Name + caveat}, err
}

// wantsScore reports whether a free-form judgement fits the schema; without one
// any text does.
func wantsScore(schema json.RawMessage) bool {
	if len(schema) == 0 {
		return true
	}
	var form struct {
		Properties struct{ Score json.RawMessage }
	}
	return json.Unmarshal(schema, &form) == nil && form.Properties.Score != nil
}
