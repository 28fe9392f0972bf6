// Package outline lists the cases, criteria and graders of a file, and searches them.
package outline

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// outline is a chunk's symbols and the span of its content, in spans of the chunk.
type outline struct {
	symbols []Symbol
	content text.Span
}

var outlineCache = analysis.NewChunkCache(func(p *analysis.Chunk) outline { return outline{Symbols(p), p.Tree.Root().Span} })

// visitOutline visits the symbols that touch a span, depth first, with their depth, in spans of the
// file. Cases are children of their list, whichever chunk they are in. Children is nil in the visited
// symbols.
func visitOutline(a *analysis.Analysis, within text.Span) iter.Seq2[int, Symbol] {
	top, list, cases := topSymbols(a, within)
	return func(yield func(int, Symbol) bool) {
		for i, s := range top {
			if !s.visit(0, within, yield) {
				return
			}
			for j := 0; i == list && j < len(cases); j++ {
				if !cases[j].visit(1, within, yield) {
					return
				}
			}
		}
	}
}

// placedSymbol is a symbol in spans of the file. Its children are in spans of the chunk.
type placedSymbol struct {
	Symbol
	placement analysis.Placement // of the chunk
}

func placeSymbol(s Symbol, placement analysis.Placement) placedSymbol {
	s.Span, s.NameSpan = placement.ToFile(s.Span), placement.ToFile(s.NameSpan)
	return placedSymbol{s, placement}
}

// topSymbols returns the outermost symbols of a file and the index of its list of cases, or -1.
// cases holds the symbols of chunks that belong in that list.
func topSymbols(a *analysis.Analysis, within text.Span) (top []placedSymbol, list int, cases []placedSymbol) {
	list = -1
	for placement, data := range outlineCache.EachIn(a, within, true) {
		content := placement.ToFile(data.content)
		if list < 0 {
			list = emptyListBefore(top, content.Start)
		}
		for _, s := range data.symbols {
			if placed := placeSymbol(s, placement); list < 0 {
				top = append(top, placed)
			} else {
				cases = append(cases, placed)
			}
		}
		if list >= 0 {
			top[list].Span = top[list].Span.Cover(content)
		}
	}
	return top, list, cases
}

// emptyListBefore returns the index of the last list of cases that has none and is before an offset, or -1.
func emptyListBefore(top []placedSymbol, offset int) (list int) {
	list = -1
	for i, s := range top {
		if s.Kind == CaseList && len(s.Children) == 0 && s.NameSpan.Start < offset {
			list = i
		}
	}
	return list
}

// visit visits a symbol and its descendants that touch a span.
func (ps placedSymbol) visit(depth int, within text.Span, yield func(int, Symbol) bool) bool {
	if ps.Span.End < within.Start || ps.Span.Start > within.End {
		return true
	}
	children := ps.Children
	ps.Children = nil
	if !yield(depth, ps.Symbol) {
		return false
	}
	for _, s := range children {
		if !placeSymbol(s, ps.placement).visit(depth+1, within, yield) {
			return false
		}
	}
	return true
}

// A Match is a symbol that matches a query. The rank of the best match is 0.
type Match struct {
	ide.SymbolInformation
	Rank int
}

// Search returns the cases, criteria, graders and targets whose name contains the letters of query in
// order, ignoring case. The best match comes first. An empty query matches all. The container is the
// nearest symbol that can match, e.g. the case of a criterion.
func Search(f *ide.File, query string) (found []Match) {
	query = strings.ToLower(strings.TrimSpace(query))
	containers := []string{""} // of the symbols at each depth
	for depth, s := range visitOutline(f.Analysis, text.Span{End: f.Length()}) {
		inside := containers[depth]
		if s.isSearchable() {
			if rank := matchRank(strings.ToLower(s.Name), query); rank >= 0 {
				found = append(found, Match{s.information(f, inside), rank})
			}
			inside = s.Name
		}
		containers = append(containers[:depth+1], inside)
	}
	generic.SortStable(found, func(a, b Match) int { return a.Rank - b.Rank })
	return found
}

// isSearchable reports whether workspace symbol search includes the symbol.
func (s Symbol) isSearchable() bool {
	return s.Kind == CaseSymbol || s.Kind == CriterionSymbol || s.Kind == GraderSymbol || s.Kind == TargetSymbol
}

// matchRank ranks a match: 0 equal, 1 prefix, 2 at the start of a word, 3 anywhere, 4 letters in
// order, -1 no match.
func matchRank(name, query string) int {
	at := strings.Index(name, query)
	switch {
	case name == query:
		return 0
	case at == 0:
		return 1
	case at > 0 && !unicode.IsLetter(rune(name[at-1])):
		return 2
	case at > 0:
		return 3
	}
	letters := []rune(query)
	for _, r := range name {
		if len(letters) > 0 && r == letters[0] {
			letters = letters[1:]
		}
	}
	if len(letters) == 0 {
		return 4
	}
	return -1
}

// Symbols returns the outline of a chunk: cases with criteria and graders, and other keys. In the
// header, the text around the cases, their list is empty.
func Symbols(p *analysis.Chunk) (all []Symbol) {
	if p.ADK != nil {
		return adkSymbols(p)
	}
	o := newOutliner(p)
	for _, root := range syntax.RootValues(p) {
		if scope, _ := agentv.ScopeOf(root.Resolved); root.Node.Kind == yaml.Mapping && scope != agentv.InCase {
			all = append(all, o.settingSymbols(root)...)
		} else {
			all = append(all, o.symbols(root)...)
		}
	}
	return all
}

// InRange returns the symbols of a file that touch a span, as a flat list for clients without tree
// support.
func InRange(f *ide.File, within text.Span) any {
	if f.Client.HasSymbolTree {
		return Tree(f, within)
	}
	flat := []ide.SymbolInformation{}
	var ancestors []string // names of the enclosing symbols
	for depth, s := range visitOutline(f.Analysis, within) {
		container := ""
		if depth > 0 {
			container = ancestors[depth-1]
		}
		flat = append(flat, s.information(f, container))
		ancestors = append(ancestors[:depth], s.Name)
	}
	return flat
}

// Tree returns the symbols of a file that touch a span, as a tree.
func Tree(f *ide.File, within text.Span) []ide.DocumentSymbol {
	root := ide.DocumentSymbol{Children: []ide.DocumentSymbol{}}
	path := []*ide.DocumentSymbol{&root} // to the last symbol, from the root
	for depth, s := range visitOutline(f.Analysis, within) {
		parent := path[depth]
		parent.Children = append(parent.Children, ide.DocumentSymbol{
			Name: s.Name, Detail: s.Detail, Kind: lspKinds[s.Kind], Range: f.SpanRange(s.Span), SelectionRange: f.SpanRange(s.NameSpan),
		})
		path = append(path[:depth+1], &parent.Children[len(parent.Children)-1])
	}
	return root.Children
}

// adkSymbols returns the outline of an ADK file: cases with turns, metrics, rubrics, and other keys.
func adkSymbols(p *analysis.Chunk) (all []Symbol) {
	root, lists := p.Tree.Root(), rubricSymbols(p)
	set, isSet := facts.LowerEvalset(p)
	if isSet && root.IsSeq() {
		return caseSymbols(set, lists)
	}
	for _, pair := range root.Entries() {
		s := Symbol{Kind: SettingSymbol, Name: symbolName(SettingSymbol, pair.Key), Span: pair.Span(), NameSpan: pair.Key.Span}
		switch list := adk.LookupPair(root, "eval_cases"); {
		case isSet && pair == list:
			s.Kind, s.Children = CaseList, caseSymbols(set, lists)
		case p.ADK.Role == adk.Config && pair.Key.Value == "criteria":
			s.Children = metricSymbols(p, pair.Span(), lists)
		case pair.Value.Kind == yaml.Scalar:
			s.Detail = facts.ShortLine(pair.Value.Value)
		}
		all = append(all, s)
	}
	return all
}

func rubricSymbols(p *analysis.Chunk) map[*yaml.Node][]Symbol {
	all := map[*yaml.Node][]Symbol{}
	for _, list := range p.ADK.RubricLists() {
		for _, r := range list.Rubrics {
			s := Symbol{Kind: CriterionSymbol, Name: symbolName(CriterionSymbol, r.IDNode), Detail: facts.ShortLine(r.Text), Span: r.Node.Span, NameSpan: cmp.Or(r.IDNode, r.Node).Span}
			all[r.Node.Parent] = append(all[r.Node.Parent], s)
		}
	}
	return all
}

func caseSymbols(set adk.Set, rubrics map[*yaml.Node][]Symbol) (all []Symbol) {
	for _, c := range set.Cases {
		s := Symbol{Kind: CaseSymbol, Name: symbolName(CaseSymbol, c.IDNode), Detail: facts.CaseSummary(c), Span: c.Node.Span, NameSpan: cmp.Or(c.IDNode, c.Node).Span, Children: rubrics[rubricList(c.Node)]}
		for i, turn := range c.Turns {
			asked, _ := c.Conversation[i].User.Text()
			s.Children = append(s.Children, Symbol{
				Kind: TurnSymbol, Name: fmt.Sprintf("turn %d", i+1), Detail: facts.ShortLine(asked), Span: turn.Span, NameSpan: turn.FirstKeySpan(), Children: rubrics[rubricList(turn)],
			})
		}
		all = append(all, s)
	}
	return all
}

// rubricList returns the list of rubrics of a mapping, or nil.
func rubricList(n *yaml.Node) *yaml.Node {
	if pair := adk.LookupPair(n, "rubrics"); pair != nil {
		return pair.Value.Follow()
	}
	return nil
}

// metricSymbols returns the metrics within a span. Those of a fragment stand beside a key `criteria`.
func metricSymbols(p *analysis.Chunk, within text.Span, rubrics map[*yaml.Node][]Symbol) (all []Symbol) {
	for _, c := range adk.LowerConfig(metric.Latest, *p.ADK).Criteria {
		if !within.Contains(c.Key.Span) {
			continue
		}
		all = append(all, Symbol{
			Kind: MetricSymbol, Name: symbolName(MetricSymbol, c.Key), Detail: "from " + score.FormatNumber(c.Threshold),
			Span: c.Key.Span.Cover(c.Node.Span), NameSpan: c.Key.Span, Children: rubrics[rubricList(c.Node)],
		})
	}
	return all
}
