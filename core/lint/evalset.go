package lint

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
)

// EvalsetSummary is what rules need to know of a chunk of an evalset to check other chunks.
type EvalsetSummary struct {
	EvalsetContents
	Tools, FieldNames []string // names of tools, and of their parameters and results; sorted
	HasDeclaredTools  bool     // Tools may be complete
}

// Equal reports whether two summaries are equal.
func (es EvalsetSummary) Equal(other EvalsetSummary) bool {
	return es.EvalsetContents == other.EvalsetContents && es.HasDeclaredTools == other.HasDeclaredTools && slices.Equal(es.Tools, other.Tools) && slices.Equal(es.FieldNames, other.FieldNames)
}

// EvalsetContents is what rules need to know of an evalset's cases to check its header.
type EvalsetContents struct{ HasTurns, HasCalls, HasRubrics bool }

// Union combines the contents of two chunks.
func (c EvalsetContents) Union(other EvalsetContents) EvalsetContents {
	return EvalsetContents{c.HasTurns || other.HasTurns, c.HasCalls || other.HasCalls, c.HasRubrics || other.HasRubrics}
}

// ToolIndex holds the names of the tools that the cases of some files declare or call, and of
// their parameters and results.
type ToolIndex struct {
	Tools, FieldNames map[string]bool
	HasDeclaredTools  bool // Tools may be complete
}

func indexTools(results []*Result) *ToolIndex {
	ti := &ToolIndex{Tools: map[string]bool{}, FieldNames: map[string]bool{}}
	for _, r := range results {
		for _, name := range r.Summary.Tools {
			ti.Tools[name] = true
		}
		for _, name := range r.Summary.FieldNames {
			ti.FieldNames[name] = true
		}
		ti.HasDeclaredTools = ti.HasDeclaredTools || r.Summary.HasDeclaredTools
	}
	return ti
}

// Check reports whether name looks like a tool that does not exist, and the nearest
// known tool.
func (ti *ToolIndex) Check(name string) (suggestion string, isUnknown bool) {
	if len(ti.Tools) == 0 || ti.Tools[name] || ti.FieldNames[name] {
		return "", false
	}
	suggestion = spell.Nearest(name, slices.Sorted(maps.Keys(ti.Tools)))
	return suggestion, suggestion != "" || ti.HasDeclaredTools
}

// HasADKRole reports whether the file is one of ADK's files with one of these roles.
func (p *Pass) HasADKRole(roles ...adk.Role) bool {
	return p.ADK != nil && slices.Contains(roles, p.ADK.Role)
}

// Evalset lowers one of ADK's files to an evalset, whatever its format.
func (p *Pass) Evalset() *adk.Set { return evalset(p) }

var evalset = PerPass(func(p *Pass) *adk.Set {
	set := adk.LowerSet(metric.Latest, *p.ADK)
	return &set
})

// summarize returns the summary of an evalset; it is empty for other files.
func (p *Pass) summarize() EvalsetSummary {
	if !p.HasADKRole(adk.EvalSet) {
		return EvalsetSummary{}
	}
	s := p.Evalset().Summary()
	return EvalsetSummary{
		contentsOf(s), slices.Sorted(maps.Keys(s.Tools)), slices.Sorted(maps.Keys(s.FieldNames)), s.HasDeclaredTools,
	}
}

func contentsOf(s adk.Summary) EvalsetContents {
	return EvalsetContents{HasTurns: s.Turns > 0, HasCalls: s.HasCalls, HasRubrics: len(s.Rubrics) > 0}
}

// AllContents describes the cases of the whole evalset.
func (p *Pass) AllContents() EvalsetContents {
	if p.Contents != nil {
		return *p.Contents
	}
	return contentsOf(p.Evalset().Summary())
}
