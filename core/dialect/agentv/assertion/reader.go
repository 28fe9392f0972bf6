// Package assertion reads assertion lists, the later AgentV versions' syntax for a case's
// graders. A list contains plain texts, rubrics, text checks, programs, limits and sets.
//
// A [Reader] follows the loader of its [Version]. It records everything that the loader skips
// or refuses as a loss. The caller must reject trees with endless aliases first.
//
// The package opens no files: the reader's Include finds templates. It words no diagnostics.
package assertion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Reader reads assertion lists as the loader of a version does.
type Reader struct {
	Version       agentv.Version // V4 or Head; Seed has no assertion lists
	Include       Include        // nil: includes stay unread
	DefaultPrompt *yaml.Node     // prompt for Head's rubrics without one; may be nil
	Preprocessors *yaml.Node     // V4's for all judges of the file; may be nil
	ShownAt       *text.Span     // span for everything in a test from another file; nil for a test in this file
}

// Include finds the template that ref names in the file from. From is "" for the eval file
// itself. The tree is nil if there is no such template.
type Include func(ref, from string) (path string, tree *yaml.Tree)

// Result is the outcome of reading lists. Refused is the kind of loss for which the loader
// rejects the case, or "". Graders are filled as far as possible in both cases.
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

// ReadText reads a plain text as a list with one item.
func (r Reader) ReadText(n *yaml.Node) Result {
	state := r.newListReader()
	return state.finish(state.readItems([]listItem{{node: n}}))
}

// ReadCase reads the lists of a case and of its suite. The suite's graders come last, unless the
// case sets skip_defaults. Either node may be nil.
func (r Reader) ReadCase(test, suite *yaml.Node) Result {
	state := r.newListReader()
	execution := test.Get("execution")
	own := cmp.Or(agentv.FirstValue(test, state.keys.lists...), agentv.FirstValue(execution, state.keys.execution...))
	if own == nil && r.Version == agentv.V4 {
		own = agentv.FirstValue(test, "evaluators")
	}
	graders := state.readList(own)
	state.At = nil
	if skipDefaults, _ := execution.Get("skip_defaults").Bool(); !skipDefaults {
		graders = append(graders, state.readSuiteLists(suite)...)
	}
	return state.finish(graders)
}

// readSuiteLists reads the graders that a suite sets for all its cases. In Head they form one
// list in two places.
func (r *listReader) readSuiteLists(suite *yaml.Node) []*rubric.Grader {
	if r.Version == agentv.V4 {
		inExecution := agentv.FirstValue(suite.Get("execution"), slices.Concat(r.keys.lists, r.keys.execution)...)
		return r.readList(cmp.Or(agentv.FirstValue(suite, r.keys.lists...), inExecution))
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
	return &listReader{Reader: r, keys: keysFor(r.Version), Loader: seed.Loader{At: r.ShownAt}}
}

func (r *listReader) finish(graders []*rubric.Grader) Result {
	return Result{Graders: graders, Losses: r.Losses, Refused: r.refused}
}

// readList returns a list's graders.
func (r *listReader) readList(n *yaml.Node) []*rubric.Grader {
	if n.IsNull() {
		return nil
	}
	if !n.IsSeq() {
		r.Skip(agentv.EvaluatorsNotList, n, "")
		return nil
	}
	return r.readItems(r.expandIncludes(n, nil))
}

// readItems returns the graders of items. All plain texts form one rubric at the position of the
// first text.
func (r *listReader) readItems(items []listItem) []*rubric.Grader {
	var texts *rubric.Grader
	var graders []*rubric.Grader
	for _, e := range items {
		before := r.At
		r.At = e.at
		if text, ok := e.node.Str(); ok {
			if texts == nil {
				texts = r.newTextRubric(e.node)
				graders = append(graders, texts)
			}
			r.addText(texts, text, e.node)
		} else if g := r.readEntry(e.node); g != nil {
			graders = append(graders, g)
		}
		r.At = before
	}
	return slices.DeleteFunc(graders, func(g *rubric.Grader) bool { return g == texts && len(g.Criteria) == 0 })
}

// newTextRubric returns the rubric for plain texts, still without criteria.
func (r *listReader) newTextRubric(n *yaml.Node) *rubric.Grader {
	span := r.SpanOf(n)
	return &rubric.Grader{
		Name: r.keys.rubricName, Kind: rubric.LLMJudge, Inline: true, Span: span, SelectionSpan: span,
		Assert: &rubric.Assertion{Type: r.keys.rubricType, TypeSpan: span},
		Prompt: r.readPrompt(r.DefaultPrompt), Preprocessors: r.readPreprocessors(nil),
	}
}

// addText adds a text as a criterion. Each one raises the rubric's weight by one.
func (r *listReader) addText(g *rubric.Grader, text string, n *yaml.Node) {
	text = strings.TrimSpace(text)
	if text == "" {
		r.AddLoss(EmptyText, rubric.Warns, n, "")
		return
	}
	g.Weight++
	span := r.SpanOf(n)
	g.Criteria = append(g.Criteria, &rubric.Criterion{
		ID: rubric.AutoID(len(g.Criteria) + 1), AutoID: true, Text: text, Weight: 1, Span: span, TextSpan: span,
	})
	g.Span = g.Span.Cover(span)
}
