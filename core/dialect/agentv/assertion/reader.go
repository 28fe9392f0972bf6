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
	Version agentv.Version // Stable or Head; no other has assertion lists
	Include Include        // nil: what is included stays unread
	Prompt  *yaml.Node     // of Head's rubrics that have none of their own; nil if the suite names none
	Place   *text.Span     // where the test is shown that stands in another file; nil if it stands in this one
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

// List reads one list. Null is an empty list.
func (r Reader) List(n *yaml.Node) Result {
	state := r.start()
	return state.done(state.list(n))
}

// Text reads a plain text as a list that holds nothing else.
func (r Reader) Text(n *yaml.Node) Result {
	state := r.start()
	return state.done(state.items([]item{{node: n}}))
}

// Case reads the lists of a case and of its suite, whose graders come after the
// case's own unless the case wants no defaults. Either may be nil.
func (r Reader) Case(test, suite *yaml.Node) Result {
	state := r.start()
	execution := test.Get("execution")
	own := first(test, state.words.lists...)
	if own == nil {
		own = first(execution, state.words.nested...)
	}
	if own == nil && r.Version == agentv.Stable {
		own = first(test, "evaluators")
	}
	graders := state.list(own)
	state.place = nil
	if without, _ := execution.Get("skip_defaults").Bool(); !without {
		graders = append(graders, state.common(suite)...)
	}
	return state.done(graders)
}

// common reads what a suite says about all its cases; in Head that is one list
// in two places.
func (r *reading) common(suite *yaml.Node) []*rubric.Grader {
	if r.Version == agentv.Stable {
		common := first(suite, r.words.lists...)
		if common == nil {
			common = first(suite.Get("execution"), slices.Concat(r.words.lists, r.words.nested)...)
		}
		return r.list(common)
	}
	var items []item
	for _, holder := range []*yaml.Node{suite.Get("default_test"), suite} {
		list := holder.Get("assert")
		if list.IsSeq() {
			items = append(items, r.expand(list, nil)...)
		} else if !list.IsNull() {
			items = append(items, item{node: list})
		}
	}
	return r.items(items)
}

func (r Reader) start() *reading {
	return &reading{Reader: r, words: grammarOf(r.Version), place: r.Place}
}

func (r *reading) done(graders []*rubric.Grader) Result {
	return Result{Graders: graders, Losses: r.losses, Refused: r.refused}
}
