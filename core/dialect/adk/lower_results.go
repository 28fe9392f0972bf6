package adk

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Recording is the conversations of a result file.
type Recording struct {
	SetID  string // the evalset that was run
	Cases  []RecordedCase
	Losses []Loss
}

// RecordedCase is one case's conversation: what the agent did and, where the
// file has it, what was expected.
type RecordedCase struct {
	ID string
	metric.Conversation

	Span, IDSpan text.Span // of all of it, and of its id

	Node *yaml.Node // what the file has of it; nil where that has been let go
}

// Compact is the case without what the file has of it, which takes many times the room,
// and with its places moved.
func (c RecordedCase) Compact(shift func(text.Span) text.Span) RecordedCase {
	c.Node = nil
	c.Span, c.IDSpan = shift(c.Span), shift(c.IDSpan)
	return c
}

// LowerResults reads a result file as a source of conversations: the scores in it
// are not read. Older files hold their JSON as a text once more; places in such
// a file are those of that text.
func LowerResults(p metric.Profile, f File) Recording {
	if inner, ok := f.Tree.Root().Str(); ok && f.JSON {
		f = Open(f.Tree.Source.Name, inner)
	}
	r := newReader(p, f)
	root := f.Tree.Root()
	var rec Recording
	list := lookup(root, resultsKey)
	if f.IsChunk {
		list = root
	}
	switch {
	case f.compact != nil:
		rec.SetID, rec.Cases = stringOf(lookup(root, "eval_set_id")), f.compact.recorded
	case f.Tree.HasUnboundedAliases() || !list.IsSeq():
		r.addLoss(NotJSON, Refuses, root, "")
	default:
		rec.SetID = stringOf(lookup(root, "eval_set_id"))
		for _, item := range list.List() {
			rec.Cases = append(rec.Cases, lowerRecordedCase(item))
		}
	}
	rec.Losses = r.list
	return rec
}

// ReadRecording reads conversations from a result file, or from an evalset that was
// written by a run. An error says that there are none, and why.
func ReadRecording(p metric.Profile, f File) (r Recording, err error) {
	switch f.Role {
	case Results:
		r = LowerResults(p, f)
	case EvalSet, Older:
		r = LowerSet(p, f).Recording()
	default:
		return r, errors.New("holds no recorded conversations; it is to be an .evalset_result.json or an evalset")
	}
	switch {
	case strings.TrimSpace(f.Body) == "":
		return r, errors.New("is empty")
	case f.Fault != nil:
		return r, fmt.Errorf("is no JSON from line %d on", f.Tree.Source.OffsetLine(f.Fault.Start)+1)
	case len(r.Cases) == 0:
		return r, errors.New("holds no recorded conversations")
	}
	return r, nil
}

func lowerRecordedCase(n *yaml.Node) RecordedCase {
	c := RecordedCase{ID: stringOf(lookup(n, "eval_id")), Node: n, Span: n.Span}
	if id := lookup(n, "eval_id"); id != nil {
		c.IDSpan = id.Span
	}
	for _, turn := range lookup(n, "eval_metric_result_per_invocation").List() {
		actual := lookup(turn, "actual_invocation")
		if !actual.IsMap() { // see Case.torn
			c.Conversation = metric.Conversation{}
			return c
		}
		c.Actual = append(c.Actual, readInvocation(actual))
		if expected := lookup(turn, "expected_invocation"); !expected.IsNull() {
			c.Expected = append(c.Expected, readInvocation(expected))
		}
	}
	if len(c.Expected) < len(c.Actual) {
		c.Expected = nil // of some turns only: nobody could say which
	}
	return c
}
