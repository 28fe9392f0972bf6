package lint

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/spell"
)

// EvalsetSummary is what the cases of an evalset have that makes a difference to what is
// said of other cases, or of the file. That of a file is what its parts have.
type EvalsetSummary struct {
	HasTurns, HasCalls, HasRubrics bool // there are some

	Tools, FieldNames []string // names of tools, and of what those take and return, sorted
	HasDeclaredTools  bool     // tools are declared, so that Tools may be all that there are
}

// Equal reports whether two supplies are alike.
func (es EvalsetSummary) Equal(other EvalsetSummary) bool {
	return es.Contents() == other.Contents() && es.HasDeclaredTools == other.HasDeclaredTools && slices.Equal(es.Tools, other.Tools) && slices.Equal(es.FieldNames, other.FieldNames)
}

// Contents is what of a supply makes a difference to what is said of the file.
func (es EvalsetSummary) Contents() EvalsetContents {
	return EvalsetContents{es.HasTurns, es.HasCalls, es.HasRubrics}
}

// EvalsetContents says of what there is any in the cases of an evalset.
type EvalsetContents struct{ HasTurns, HasCalls, HasRubrics bool }

// Union is what is in one of two, or in both.
func (c EvalsetContents) Union(other EvalsetContents) EvalsetContents {
	return EvalsetContents{c.HasTurns || other.HasTurns, c.HasCalls || other.HasCalls, c.HasRubrics || other.HasRubrics}
}

// newEvalsetSummary is what a stock is to others.
func newEvalsetSummary(t *adk.Summary) EvalsetSummary {
	return EvalsetSummary{
		HasTurns: t.Turns > 0, HasCalls: t.HasCalls, HasRubrics: len(t.Rubrics) > 0,
		Tools: slices.Sorted(maps.Keys(t.Tools)), FieldNames: slices.Sorted(maps.Keys(t.FieldNames)), HasDeclaredTools: t.HasDeclaredTools,
	}
}

// toolIndex is all tools that the cases of a file have, or of several.
type toolIndex struct {
	tools, fieldNames map[string]bool
	names             []string // of the tools, sorted
	hasDeclaredTools  bool     // there may be no others
}

func indexTools(results []*Result) *toolIndex {
	b := &toolIndex{tools: map[string]bool{}, fieldNames: map[string]bool{}}
	for _, r := range results {
		for _, name := range r.Summary.Tools {
			b.tools[name] = true
		}
		for _, name := range r.Summary.FieldNames {
			b.fieldNames[name] = true
		}
		b.hasDeclaredTools = b.hasDeclaredTools || r.Summary.HasDeclaredTools
	}
	b.names = slices.Sorted(maps.Keys(b.tools))
	return b
}

// checkTool reports whether a rubric that speaks of a tool speaks of one that nobody
// has, and which one may be meant.
func (ti *toolIndex) checkTool(name string) (suggestion string, isUnknown bool) {
	if len(ti.tools) == 0 || ti.tools[name] || ti.fieldNames[name] {
		return "", false // nobody knows any, or it is one
	}
	suggestion = spell.Nearest(name, ti.names)
	return suggestion, suggestion != "" || ti.hasDeclaredTools
}
