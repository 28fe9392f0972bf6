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

// LSPKind is that of the protocol's kind which is nearest.
func (k SymbolKind) LSPKind() int {
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
	Kind     SymbolKind
	Name     string // one line, never empty
	Detail   string // what it is worth, or says; one line
	Span     text.Span
	NameSpan text.Span // the name's place, in Span
	Children []Symbol
}

// Symbols are the outline of a part: cases with their criteria and graders, as
// far as they can be read, and what else a file says. What stands around cases
// has an empty list for them.
func Symbols(p *analysis.Chunk) (all []Symbol) {
	if p.ADK != nil {
		return adkSymbols(p)
	}
	o := outliner{part: p, weights: weightDetails(p)}
	for _, root := range rootValues(p) {
		if place, _ := agentv.ScopeOf(root.resolved); root.node.Kind == yaml.Mapping && place != agentv.InCase {
			all = append(all, o.settingSymbols(root)...)
		} else {
			all = append(all, o.symbols(root)...)
		}
	}
	return all
}
