package navigation

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/naming"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// DefinitionAt returns where the name at an offset is declared, in the file and the others, or the
// file that a link leads to.
func DefinitionAt(f *ide.File, offset int) []ide.Location {
	found := locations(f, offset, func(u locatedUse) bool { return u.IsDeclaration })
	chunk := f.ChunkAt(offset)
	if link, ok := LinkAt(chunk, chunk.FromFile(offset)); ok && len(found) == 0 && link.URL == "" {
		if target := linkTarget(f, link); target != "" {
			found = append(found, ide.Location{URI: target})
		}
	}
	return found
}

// ReferencesAt returns the uses of the name at an offset: those in the file, then those in the others.
// declared includes its declaration.
func ReferencesAt(f *ide.File, offset int, declared bool) []ide.Location {
	return locations(f, offset, func(u locatedUse) bool { return declared || !u.IsDeclaration })
}

// CountReferences returns the number of uses, besides its declaration, of the name at an offset in a file and others.
func CountReferences(f *ide.File, offset int, others []*ide.File) int {
	uses, _ := usesAt(f, offset, others)
	return len(uses) - countDeclarations(uses)
}

func locations(f *ide.File, offset int, wanted func(locatedUse) bool) []ide.Location {
	all := []ide.Location{}
	uses, _ := usesAt(f, offset, f.Host.OtherFiles())
	for _, u := range uses {
		if wanted(u) {
			all = append(all, ide.Location{URI: u.file.URI, Range: u.file.SpanRange(u.span)})
		}
	}
	return all
}

// locatedUse is a use with its location.
type locatedUse struct {
	naming.Use
	file  *ide.File
	span  text.Span // of the file
	chunk *analysis.Chunk
}

// usesAt returns the uses of the name at an offset. Other files that cannot be analysed are skipped;
// fault is the first reason.
func usesAt(f *ide.File, offset int, others []*ide.File) (found []locatedUse, fault *diag.Panic) {
	p := f.ChunkAt(offset)
	name, use, ok := naming.NameAt(p, p.FromFile(offset))
	if !ok {
		return nil, nil
	}
	found = usesInFile(f, p, name)
	all := append([]*ide.File{f}, others...)
	if name.Kind == naming.CriterionName && len(others) > 0 {
		return append(found, labelsOf(f, p.ToFile(use.Node.Span), name.Text, all)...), nil
	}
	for _, other := range others {
		if (name.Kind == naming.CaseName || name.Kind == naming.TargetName) && other.Analysis != f.Analysis { // files share these names
			fault = cmp.Or(fault, diag.CatchPanic(func() {
				found = append(found, slices.DeleteFunc(usesInFile(other, nil, name), func(u locatedUse) bool { return u.IsInFile && evalFileOf(other, all) != evalFileOf(f, all) })...)
			}))
		}
	}
	return found, fault
}

// labelsOf returns where labels files name the criterion of f whose id is at a span.
func labelsOf(f *ide.File, at text.Span, id string, all []*ide.File) (found []locatedUse) {
	suite := f.Analysis.Suite()
	for _, labels := range all {
		if labels.Role() != agentv.Labels || evalFileOf(labels, all) != f {
			continue
		}
		p := labels.ChunkAt(0)
		add := func(caseID string, n *yaml.Node) {
			var spans []text.Span
			for g := range rubric.Walk(generic.OrZero(suite.Case(caseID)).Graders) {
				for _, c := range g.Criteria {
					if c.ID == id {
						spans = append(spans, c.IDSpan)
					}
				}
			}
			if name := n.Text(); name == id && len(spans) == 1 && spans[0] == at {
				span := syntax.UnquotedSpan(n)
				found = append(found, locatedUse{naming.Use{Span: span, Node: n}, labels, p.ToFile(span), p})
			}
		}
		for _, key := range []string{"labels", "fingerprints"} {
			for _, c := range p.Tree.Root().Get(key).Entries() {
				if pair := c.Value.Pair(id); pair != nil {
					add(c.Key.Value, pair.Key)
				}
			}
		}
		for _, n := range p.Tree.Root().Get("judgements").List() {
			add(n.Get("case").Text(), n.Get("criterion"))
		}
	}
	return found
}

// labelledCriterion returns the name of a criterion at an offset of a labels file, the eval file, one of all, and where
// that has the criterion's id. eval is nil if there is none.
func labelledCriterion(f *ide.File, offset int, all []*ide.File) (name text.Span, eval *ide.File, at int) {
	if f.Role() != agentv.Labels {
		return name, nil, 0
	}
	home, n := evalFileOf(f, all), f.ChunkAt(0).Tree.NodeAt(offset)
	if home == nil || n.Parent == nil {
		return name, nil, 0
	}
	caseID := n.Parent.Get("case").Text()
	if pair := syntax.PairOf(n.Parent); caseID == "" && pair != nil {
		caseID = pair.Key.Value
	}
	for g := range rubric.Walk(generic.OrZero(home.Analysis.Suite().Case(caseID)).Graders) {
		for _, c := range g.Criteria {
			for _, u := range labelsOf(home, c.IDSpan, c.ID, []*ide.File{home, f}) {
				if u.span.Touches(offset) && !c.AutoID {
					name, eval, at = u.span, home, c.IDSpan.Start
				}
			}
		}
	}
	return name, eval, at
}

// evalFileOf returns the file whose cases a labels file labels, or nil, and any other file itself.
func evalFileOf(f *ide.File, all []*ide.File) *ide.File {
	if f.Role() != agentv.Labels {
		return f
	}
	folder, name := path.Split(f.URI)
	for _, name := range agentv.EvalFilesForLabels(name) {
		if i := slices.IndexFunc(all, func(other *ide.File) bool { return other.URI == folder+name }); i >= 0 {
			return all[i]
		}
	}
	return nil
}

// usesInFile returns the uses of a name in a file, in text order. from is the chunk where the name
// was found, or nil if that was in another file.
func usesInFile(f *ide.File, from *analysis.Chunk, name naming.Name) (found []locatedUse) {
	for _, p := range chunksUsing(f.Analysis, from, name) {
		for _, u := range naming.Uses(p, name) {
			found = append(found, locatedUse{u, f, p.ToFile(u.Span), p})
		}
	}
	generic.SortStable(found, func(x, y locatedUse) int { return x.span.Start - y.span.Start })
	return found
}

// chunksUsing returns the chunks that may use a name. It searches the text, and so misses names that
// are written with escapes.
func chunksUsing(a *analysis.Analysis, from *analysis.Chunk, name naming.Name) []*analysis.Chunk {
	query := name.Text
	switch name.Kind {
	case naming.CriterionName, naming.GraderName:
		return []*analysis.Chunk{from}
	case naming.AnchorName:
		if inFile, ok := syntax.ChunkSpan(a, from); ok && inFile.Touches(name.Scope) {
			return []*analysis.Chunk{from}
		}
		query = "*" + query
	}
	search := nameSearch{file: a}
	if from != nil {
		search.add(from)
	}
	if name.Scope >= 0 {
		search.add(a.ChunkAt(name.Scope))
	}
	search.addMatching(query)
	return search.chunks
}

// nameSearch collects the chunks of a file that contain a text, each once.
type nameSearch struct {
	file   *analysis.Analysis
	chunks []*analysis.Chunk
	seen   map[int]bool // start offsets of chunks
}

func (ns *nameSearch) add(p *analysis.Chunk) {
	start := p.ToFile(text.Span{}).Start
	if ns.seen == nil {
		ns.seen = map[int]bool{}
	}
	if !ns.seen[start] {
		ns.seen[start] = true
		ns.chunks = append(ns.chunks, p)
	}
}

// addMatching adds the chunks that contain query as a whole word.
func (ns *nameSearch) addMatching(query string) {
	body := ns.file.Body()
	for from := 0; query != ""; {
		next := strings.Index(body[from:], query)
		if next < 0 {
			return
		}
		at := from + next
		from = at + len(query)
		if !isWholeWord(body, text.Span{Start: at, End: from}) {
			continue
		}
		p := ns.file.ChunkAt(at)
		ns.add(p)
		if inFile, ok := syntax.ChunkSpan(ns.file, p); ok {
			from = max(from, inFile.End)
		}
	}
}

// isWholeWord reports whether a span is not part of a longer word.
func isWholeWord(body string, span text.Span) bool {
	first, _ := utf8.DecodeRuneInString(body[span.Start:])
	before, _ := utf8.DecodeLastRuneInString(body[:span.Start])
	last, _ := utf8.DecodeLastRuneInString(body[:span.End])
	after, _ := utf8.DecodeRuneInString(body[span.End:])
	return !(syntax.IsWordRune(first) && syntax.IsWordRune(before)) && !(syntax.IsWordRune(last) && syntax.IsWordRune(after))
}

// Kinds of highlights, numbered as in LSP.
const (
	highlightText  = iota + 1 // the same key or value
	highlightRead             // a reference
	highlightWrite            // the declaration
)

// HighlightsAt returns the uses of the name at an offset. Without a name it returns equal keys, or
// equal values of the same key, in the same chunk.
func HighlightsAt(f *ide.File, offset int) []ide.DocumentHighlight {
	all := []ide.DocumentHighlight{}
	uses, _ := usesAt(f, offset, nil)
	for _, u := range uses {
		kind := highlightRead
		if u.IsDeclaration {
			kind = highlightWrite
		}
		all = append(all, ide.DocumentHighlight{Range: f.SpanRange(u.span), Kind: kind})
	}
	if len(all) > 0 {
		return all
	}
	p := f.ChunkAt(offset)
	for _, span := range similarSpans(p, p.FromFile(offset)) {
		all = append(all, ide.DocumentHighlight{Range: f.SpanRange(p.ToFile(span)), Kind: highlightText})
	}
	return all
}

// similarSpans returns the keys or values equal to the one at an offset.
func similarSpans(p *analysis.Chunk, offset int) (spans []text.Span) {
	n := p.Tree.NodeAt(offset)
	pair := syntax.PairOf(n)
	if n.Kind != yaml.Scalar || n.IsNull() || pair == nil || !n.Span.Touches(offset) {
		return nil
	}
	owner := syntax.ContextOf(p, n).Owner
	syntax.WalkValues(p, func(v syntax.Value) {
		switch {
		case v.Pair == nil || v.Pair.Key.Kind != yaml.Scalar || v.Pair.Key.Value != pair.Key.Value || v.Owner != owner:
		case n == pair.Key:
			spans = append(spans, v.Pair.Key.Span)
		case v.Node.Kind == yaml.Scalar && v.Node.Value == n.Value && v.Node.Tag == n.Tag:
			spans = append(spans, v.Node.Span)
		}
	})
	return spans
}

// LinkedAt returns the ranges to edit together with the one at an offset: an anchor with its
// aliases, or a grader's name with its weight. All have the same text. The result is nil or has at
// least two ranges.
func LinkedAt(f *ide.File, offset int) *ide.LinkedRanges {
	linked := &ide.LinkedRanges{WordPattern: linkedPattern}
	uses, _ := usesAt(f, offset, nil)
	for _, u := range uses {
		if f.Source().Slice(u.span) != f.Source().Slice(uses[0].span) {
			return nil
		}
		linked.Ranges = append(linked.Ranges, f.SpanRange(u.span))
	}
	if countDeclarations(uses) != 1 || len(uses) < 2 {
		return nil
	}
	return linked
}

// linkedPattern is a regular expression for the content of linked ranges, valid in JavaScript and Go.
const linkedPattern = `[^\s,\[\]{}:#&*'"]+`

func countDeclarations(uses []locatedUse) (n int) {
	for _, u := range uses {
		if u.IsDeclaration {
			n++
		}
	}
	return n
}
