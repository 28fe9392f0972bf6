package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
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

// LSPKind returns the closest LSP SymbolKind.
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

// A Symbol is an entry of a file's outline.
type Symbol struct {
	Kind     SymbolKind
	Name     string // one line, never empty
	Detail   string // one line: the weight or the content
	Span     text.Span
	NameSpan text.Span // inside Span
	Children []Symbol
}

// Symbols returns the outline of a chunk: cases with criteria and graders, and other keys. In the
// header, the text around the cases, their list is empty.
func Symbols(p *analysis.Chunk) (all []Symbol) {
	if p.ADK != nil {
		return adkSymbols(p)
	}
	o := outliner{weights: weightDetails(p)}
	for _, root := range rootValues(p) {
		if scope, _ := agentv.ScopeOf(root.resolved); root.node.Kind == yaml.Mapping && scope != agentv.InCase {
			all = append(all, o.settingSymbols(root)...)
		} else {
			all = append(all, o.symbols(root)...)
		}
	}
	return all
}

type outliner struct {
	weights map[text.Span]string // details of criteria, by span
}

// weightDetails describes the weight and gate of each criterion.
func weightDetails(p *analysis.Chunk) map[text.Span]string {
	details := map[text.Span]string{}
	visitSuiteGraders(p.Suite, func(g *rubric.Grader) {
		total := 0.0
		for _, c := range g.Criteria {
			total += c.Weight
		}
		for _, c := range g.Criteria {
			detail := "weight " + formatNumber(c.Weight)
			if len(g.Criteria) > 1 {
				detail += " of " + formatNumber(total)
			}
			switch {
			case c.MinScore != nil && c.HasBands():
				detail += ", at least " + formatNumber(*c.MinScore)
			case c.IsRequired():
				detail += ", required"
			}
			details[c.Span] = detail
		}
	})
	return details
}

// visitSuiteGraders visits the graders of all cases, including skipped ones, and their members.
func visitSuiteGraders(s *rubric.Suite, visit func(*rubric.Grader)) {
	for _, c := range slices.Concat(s.Cases, s.Skipped) {
		visitGraders(c, func(g, _ *rubric.Grader) { visit(g) })
	}
}

// symbolKinds maps kinds of mappings to symbols.
var symbolKinds = map[agentv.Scope]SymbolKind{
	agentv.InCase: CaseSymbol, agentv.InGrader: GraderSymbol, agentv.InCriterion: CriterionSymbol, agentv.InRange: BandSymbol,
}

func (o outliner) symbols(v value) (all []Symbol) {
	for _, child := range v.children() {
		all = append(all, o.symbols(child)...)
	}
	kind := symbolKinds[v.scope()]
	switch {
	case v.node.Kind == yaml.Mapping && isTargetType(v.resolved):
		kind = TargetSymbol
	case kind == "" && v.isCaseList():
		list := Symbol{Kind: CaseList, Name: v.pair.Key.Value, Span: v.pair.Span(), NameSpan: v.pair.Key.Span, Children: all}
		return []Symbol{list}
	case v.isBand():
		return []Symbol{{Kind: BandSymbol, Name: symbolName(BandSymbol, v.node), Detail: shortLine(v.pair.Key.Value), Span: v.pair.Span(), NameSpan: v.pair.Key.Span}}
	case kind == "" || v.resolved != nil && v.resolved.Name == "default-test" || v.node.Kind == yaml.Sequence || v.node.Kind == yaml.Alias:
		return all
	}
	s := Symbol{Kind: kind, Span: fullSpan(v.node), Children: all}
	s.NameSpan = s.Span
	if len(v.node.Pairs) > 0 {
		s.NameSpan = v.node.Pairs[0].Key.Span
	}
	o.setName(&s, v.node)
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
	case o.weights[n.Span] != "":
		s.Detail = o.weights[n.Span]
	case target == nil || detail == label:
	case target.Kind == yaml.Scalar:
		s.Detail = shortLine(target.Value)
	default:
		s.Detail = shortLine(yaml.EncodeJSON(target, ""))
	}
}

// symbolName returns the text of a label, or else the kind.
func symbolName(kind SymbolKind, label *yaml.Node) string {
	if target := label.Follow(); target != nil && target.Kind == yaml.Scalar {
		if name := shortLine(target.Value); name != "" {
			return name
		}
	}
	return string(kind)
}

// symbolLabels returns the values for a symbol's name and detail; nil if missing.
func symbolLabels(kind SymbolKind, n *yaml.Node) (label, detail *yaml.Node) {
	switch kind {
	case CaseSymbol:
		goal := firstValue(n, textKeys[agentv.InCase]...)
		if id := firstValue(n, "id"); id != nil {
			return id, goal
		}
		return goal, nil
	case CriterionSymbol:
		if n.Kind != yaml.Mapping {
			return n, nil
		}
		label = firstValue(n, textKeys[agentv.InCriterion]...)
		if id := firstValue(n, "id"); id != nil {
			return id, label
		}
	case GraderSymbol:
		label, detail = firstValue(n, graderKeys...), firstValue(n, "type")
		if label == nil {
			return detail, nil
		}
	case BandSymbol:
		return firstValue(n, textKeys[agentv.InRange]...), firstValue(n, "score_range")
	case TargetSymbol:
		return firstValue(n, "name", "label", "id"), firstValue(n, "provider", "id")
	}
	return label, detail
}

// firstValue returns the value of the first key that a mapping has, or nil.
func firstValue(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); !v.IsNull() {
			return v
		}
	}
	return nil
}

// shortLine shortens text for outlines and messages.
func shortLine(words string) string { return excerpt.Shorten(words, 80) }

// Keys by their names in all versions.
var (
	casesKeys  = termNames(agentv.InFile, agentv.CasesKey)
	graderKeys = termNames(agentv.InGrader, "name")
	textKeys   = map[agentv.Scope][]string{ // text that is judged
		agentv.InCase:      termNames(agentv.InCase, "expected_outcome"),
		agentv.InCriterion: termNames(agentv.InCriterion, "expected_outcome"),
		agentv.InRange:     termNames(agentv.InRange, "expected_outcome"),
	}
)

// termNames returns the names of a key in all versions.
func termNames(scope agentv.Scope, key string) (names []string) {
	for _, t := range agentv.LookupConcept(key, scope).Terms {
		if t.Scope == scope {
			names = append(names, t.Text)
		}
	}
	return names
}

// isCaseList reports whether a value is the file's list of cases.
func (v value) isCaseList() bool {
	return v.pair != nil && v.node.Parent.Parent == nil && slices.Contains(casesKeys, v.pair.Key.Value)
}

// isBand reports whether a value is a band in a mapping of score ranges.
func (v value) isBand() bool {
	return v.pair != nil && v.Owner == agentv.ScoreMapType && v.node.Kind != yaml.Alias && !v.pair.IsMerge()
}

func isTargetType(t *schema.Type) bool {
	return t != nil && (t.Name == "provider" || t.Name == "target" || strings.HasPrefix(t.Name, "target-"))
}

// settingSymbols returns the symbols of the file's top-level keys.
func (o outliner) settingSymbols(root value) (all []Symbol) {
	for _, v := range root.children() {
		children := o.symbols(v)
		if len(children) == 1 && children[0].Kind == CaseList {
			all = append(all, children[0])
			continue
		}
		s := Symbol{Kind: SettingSymbol, Name: shortLine(v.pair.Key.Value), Span: v.pair.Span(), NameSpan: v.pair.Key.Span, Children: children}
		if v.node.Kind == yaml.Scalar {
			s.Detail = shortLine(v.node.Value)
		}
		if s.Name != "" {
			all = append(all, s)
		}
	}
	return all
}
