package assertion

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Reader reads assertion lists as a version's loader does.
type Reader struct {
	Version       agentv.Version // Stable or Head; no other has assertion lists
	Include       Include        // nil: what is included stays unread
	DefaultPrompt *yaml.Node     // of Head's rubrics that have none of their own; nil if the suite names none
	ShownAt       *text.Span     // where the test is shown that stands in another file; nil if it stands in this one
}

// Include finds the template that ref names in the file from, "" for the eval
// file itself. The tree is nil if there is none.
type Include func(ref, from string) (path string, tree *yaml.Tree)

// Result is what lists amount to. Refused is the kind of loss for which the
// loader gives up on the case, "" if it does not; the graders are then what
// could be read all the same.
type Result struct {
	Graders []*rubric.Grader
	Losses  []rubric.Loss
	Refused string
}

// ReadList reads one list. Null is an empty list.
func (r Reader) ReadList(n *yaml.Node) Result {
	state := r.newListReader()
	return state.finish(state.readList(n))
}

// ReadText reads a plain text as a list that holds nothing else.
func (r Reader) ReadText(n *yaml.Node) Result {
	state := r.newListReader()
	return state.finish(state.readItems([]listItem{{node: n}}))
}

// ReadCase reads the lists of a case and of its suite, whose graders come after the
// case's own unless the case wants no defaults. Either may be nil.
func (r Reader) ReadCase(test, suite *yaml.Node) Result {
	state := r.newListReader()
	execution := test.Get("execution")
	own := firstValue(test, state.keys.lists...)
	if own == nil {
		own = firstValue(execution, state.keys.execution...)
	}
	if own == nil && r.Version == agentv.Stable {
		own = firstValue(test, "evaluators")
	}
	graders := state.readList(own)
	state.includedAt = nil
	if without, _ := execution.Get("skip_defaults").Bool(); !without {
		graders = append(graders, state.readSuiteLists(suite)...)
	}
	return state.finish(graders)
}

// readSuiteLists reads what a suite says about all its cases; in Head that is one list
// in two places.
func (r *listReader) readSuiteLists(suite *yaml.Node) []*rubric.Grader {
	if r.Version == agentv.Stable {
		common := firstValue(suite, r.keys.lists...)
		if common == nil {
			common = firstValue(suite.Get("execution"), slices.Concat(r.keys.lists, r.keys.execution)...)
		}
		return r.readList(common)
	}
	var items []listItem
	for _, holder := range []*yaml.Node{suite.Get("default_test"), suite} {
		list := holder.Get("assert")
		if list.IsSeq() {
			items = append(items, r.expandIncludes(list, nil)...)
		} else if !list.IsNull() {
			items = append(items, listItem{node: list})
		}
	}
	return r.readItems(items)
}

func (r Reader) newListReader() *listReader {
	return &listReader{Reader: r, keys: keysFor(r.Version), includedAt: r.ShownAt}
}

func (r *listReader) finish(graders []*rubric.Grader) Result {
	return Result{Graders: graders, Losses: r.losses, Refused: r.refused}
}
