package outline

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SymbolKind is the kind of a symbol.
type SymbolKind string

// Kinds of symbols.
const (
	CaseList        SymbolKind = "cases"
	CaseSymbol      SymbolKind = "case"
	GraderSymbol    SymbolKind = "grader"
	CriterionSymbol SymbolKind = "criterion"
	BandSymbol      SymbolKind = "band"
	TargetSymbol    SymbolKind = "target"
	TurnSymbol      SymbolKind = "turn"    // a turn of a conversation
	MetricSymbol    SymbolKind = "metric"  // a metric with its settings
	SettingSymbol   SymbolKind = "setting" // any other key of the file
)

// lspKinds are the kinds of LSP: an array, a class, two functions, an event, a boolean, a member of an enumeration and an
// interface. Settings are properties.
var lspKinds = map[SymbolKind]int{
	CaseList: 18, CaseSymbol: 5, GraderSymbol: 12, MetricSymbol: 12, TurnSymbol: 24, CriterionSymbol: 17, BandSymbol: 22, TargetSymbol: 11, SettingSymbol: 7,
}

// A Symbol is an entry of a file's outline.
type Symbol struct {
	Kind     SymbolKind
	Name     string // one line, never empty
	Detail   string // one line: the weight or the content
	Span     text.Span
	NameSpan text.Span // inside Span
	Children []Symbol
}

// outliner holds the details of criteria, by span.
type outliner map[text.Span]string

// newOutliner describes the weight and gate of each criterion.
func newOutliner(p *analysis.Chunk) outliner {
	details := outliner{}
	for g := range p.Suite.Graders() {
		total := 0.0
		for _, c := range g.Criteria {
			total += c.Weight
		}
		for _, c := range g.Criteria {
			detail := "weight " + score.FormatNumber(c.Weight)
			if len(g.Criteria) > 1 {
				detail += " of " + score.FormatNumber(total)
			}
			switch {
			case c.MinScore != nil && c.HasBands():
				detail += ", at least " + score.FormatNumber(*c.MinScore)
			case c.IsRequired():
				detail += ", required"
			}
			details[c.Span] = detail
		}
	}
	return details
}

// symbolKinds maps kinds of mappings to symbols.
var symbolKinds = map[agentv.Scope]SymbolKind{
	agentv.InCase: CaseSymbol, agentv.InGrader: GraderSymbol, agentv.InCriterion: CriterionSymbol, agentv.InRange: BandSymbol,
}

func (o outliner) symbols(v syntax.Value) (all []Symbol) {
	for _, child := range v.Children() {
		all = append(all, o.symbols(child)...)
	}
	kind := symbolKinds[v.Scope()]
	switch {
	case v.Node.Kind == yaml.Mapping && syntax.IsTargetType(v.Resolved):
		kind = TargetSymbol
	case kind == "" && v.IsCaseList():
		list := Symbol{Kind: CaseList, Name: v.Pair.Key.Value, Span: v.Pair.Span(), NameSpan: v.Pair.Key.Span, Children: all}
		return []Symbol{list}
	case v.IsBand():
		return []Symbol{{Kind: BandSymbol, Name: symbolName(BandSymbol, v.Node), Detail: facts.ShortLine(v.Pair.Key.Value), Span: v.Pair.Span(), NameSpan: v.Pair.Key.Span}}
	case kind == "" || v.Resolved != nil && v.Resolved.Name == "default-test" || v.Node.Kind == yaml.Sequence || v.Node.Kind == yaml.Alias:
		return all
	}
	s := Symbol{Kind: kind, Span: v.Node.FullSpan(), Children: all}
	s.NameSpan = s.Span
	if len(v.Node.Pairs) > 0 {
		s.NameSpan = v.Node.Pairs[0].Key.Span
	}
	o.setName(&s, v.Node)
	return []Symbol{s}
}

// setName sets a symbol's name and detail.
func (o outliner) setName(s *Symbol, n *yaml.Node) {
	label, detail := symbolLabels(s.Kind, n)
	s.Name = symbolName(s.Kind, label)
	if label != nil && s.Span.Contains(label.Span) && !label.Span.Empty() {
		s.NameSpan = label.Span
	}
	switch target := detail.Follow(); {
	case o[n.Span] != "":
		s.Detail = o[n.Span]
	case target == nil || detail == label:
	case target.Kind == yaml.Scalar:
		s.Detail = facts.ShortLine(target.Value)
	default:
		s.Detail = facts.ShortLine(yaml.EncodeJSON(target, ""))
	}
}

// symbolName returns the text of a label, or else the kind.
func symbolName(kind SymbolKind, label *yaml.Node) string {
	if target := label.Follow(); target != nil && target.Kind == yaml.Scalar {
		if name := facts.ShortLine(target.Value); name != "" {
			return name
		}
	}
	return string(kind)
}

// symbolLabels returns the values for a symbol's name and detail; nil if missing.
func symbolLabels(kind SymbolKind, n *yaml.Node) (label, detail *yaml.Node) {
	switch kind {
	case CaseSymbol:
		goal := agentv.FirstValue(n, syntax.TextKeys[agentv.InCase]...)
		if id := agentv.FirstValue(n, "id", "description"); id != nil { // as promptfoo names its tests
			return id, goal
		}
		return goal, nil
	case CriterionSymbol:
		if n.Kind != yaml.Mapping {
			return n, nil
		}
		label = agentv.FirstValue(n, syntax.TextKeys[agentv.InCriterion]...)
		if id := agentv.FirstValue(n, "id"); id != nil {
			return id, label
		}
	case GraderSymbol:
		label, detail = agentv.FirstValue(n, syntax.GraderKeys...), agentv.FirstValue(n, "type")
		if label == nil {
			return detail, nil
		}
	case BandSymbol:
		return agentv.FirstValue(n, syntax.TextKeys[agentv.InRange]...), agentv.FirstValue(n, "score_range")
	case TargetSymbol:
		return agentv.FirstValue(n, "name", "label", "id"), agentv.FirstValue(n, "provider", "id")
	}
	return label, detail
}

// settingSymbols returns the symbols of the file's top-level keys.
func (o outliner) settingSymbols(root syntax.Value) (all []Symbol) {
	for _, v := range root.Children() {
		children := o.symbols(v)
		if len(children) == 1 && children[0].Kind == CaseList {
			all = append(all, children[0])
			continue
		}
		s := Symbol{Kind: SettingSymbol, Name: facts.ShortLine(v.Pair.Key.Value), Span: v.Pair.Span(), NameSpan: v.Pair.Key.Span, Children: children}
		if v.Node.Kind == yaml.Scalar {
			s.Detail = facts.ShortLine(v.Node.Value)
		}
		if s.Name != "" {
			all = append(all, s)
		}
	}
	return all
}

func (s Symbol) information(f *ide.File, container string) ide.SymbolInformation {
	return ide.SymbolInformation{Name: s.Name, Kind: lspKinds[s.Kind], ContainerName: container, Location: ide.Location{URI: f.URI, Range: f.SpanRange(s.Span)}}
}
