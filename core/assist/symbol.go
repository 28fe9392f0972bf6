package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SymbolKind is what a symbol stands for.
type SymbolKind string

// The kinds of symbols.
const (
	CaseList        SymbolKind = "cases"
	CaseSymbol      SymbolKind = "case"
	GraderSymbol    SymbolKind = "grader"
	CriterionSymbol SymbolKind = "criterion"
	BandSymbol      SymbolKind = "band"
	TargetSymbol    SymbolKind = "target"
	TurnSymbol      SymbolKind = "turn"    // of a conversation
	MetricSymbol    SymbolKind = "metric"  // with what is asked of it
	SettingSymbol   SymbolKind = "setting" // another key of the file
)

// Number is that of the protocol's kind which is nearest.
func (k SymbolKind) Number() int {
	switch k {
	case CaseList:
		return 18 // an array
	case CaseSymbol:
		return 5 // a class
	case GraderSymbol, MetricSymbol:
		return 12 // a function
	case TurnSymbol:
		return 24 // an event
	case CriterionSymbol:
		return 17 // a boolean
	case BandSymbol:
		return 22 // a member of an enumeration
	case TargetSymbol:
		return 11 // an interface
	}
	return 7 // a property
}

// Symbol is an entry of a file's outline.
type Symbol struct {
	Kind   SymbolKind
	Name   string // one line, never empty
	Detail string // what it is worth, or says; one line
	Span   text.Span
	Head   text.Span // the name's place, in Span
	Inside []Symbol
}

// Symbols are the outline of a part: cases with their criteria and graders, as
// far as they can be read, and what else a file says. What stands around cases
// has an empty list for them.
func Symbols(p *analysis.Part) (all []Symbol) {
	if p.ADK != nil {
		return kitSymbols(p)
	}
	o := outliner{part: p, worth: worthOf(p)}
	for _, root := range roots(p) {
		if place, _ := agentv.PlaceOf(root.shape); root.node.Kind == yaml.Mapping && place != agentv.InCase {
			all = append(all, o.settings(root)...)
		} else {
			all = append(all, o.symbols(root)...)
		}
	}
	return all
}
