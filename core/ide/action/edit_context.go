package action

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// editContext is a place in a file with everything that encloses it.
type editContext struct {
	file  *analysis.Analysis
	chunk *analysis.Chunk
	path  []syntax.Value // from the root to the innermost value
	json  bool           // keys and texts are in double quotes here
}

func newEditContext(a *analysis.Analysis, offset int) editContext {
	ec := editContext{file: a, chunk: a.ChunkAt(offset)}
	local := ec.chunk.FromFile(offset)
	candidates := syntax.RootValues(ec.chunk)
	for len(candidates) > 0 {
		var next *syntax.Value
		for i := range candidates {
			if lines := ec.lineSpan(candidates[i]); lines.Touches(local) {
				next = &candidates[i]
			}
		}
		if next == nil {
			break
		}
		ec.path = append(ec.path, *next)
		candidates = next.Children()
	}
	if n := len(ec.path); n > 0 {
		ec.json = syntax.HasQuotedKeys(ec.path[n-1].Node)
	}
	return ec
}

// lineSpan returns the lines of a value with its key and dash. In flow style it is the value's span.
func (ec editContext) lineSpan(v syntax.Value) text.Span {
	span := v.Node.FullSpan()
	if v.Pair != nil {
		span = span.Cover(v.Pair.Key.Span)
	}
	if v.Parent != nil && v.Parent.Node.Style == yaml.Flow || v.Parent == nil {
		return span
	}
	source := ec.chunk.Source
	return text.Span{Start: source.LineSpan(source.OffsetLine(span.Start)).Start, End: source.LineSpan(source.OffsetLine(span.End)).End}
}

// criterion returns the innermost criterion.
func (ec editContext) criterion() (syntax.Value, bool) {
	for _, v := range slices.Backward(ec.path) {
		if v.Scope() == agentv.InCriterion && v.Node.Parent != nil && v.Node.Parent.Kind == yaml.Sequence {
			return v, true
		}
	}
	return syntax.Value{}, false
}

// criteriaList returns the list of criteria at the place or under its key, or nil.
func (ec editContext) criteriaList() *yaml.Node {
	for _, v := range slices.Backward(ec.path) {
		if v.Node.Kind != yaml.Sequence {
			continue
		}
		for _, item := range v.Children() {
			if item.Scope() == agentv.InCriterion && item.IsCriterion() {
				return v.Node
			}
		}
	}
	return nil
}

// lookupCriterion returns the criterion lowered from a node, or nil.
func (ec editContext) lookupCriterion(n *yaml.Node) *rubric.Criterion {
	for g := range ec.chunk.Suite.Graders() {
		for _, c := range g.Criteria {
			if n != nil && c.Span == n.Span {
				return c
			}
		}
	}
	return nil
}

// termFor returns the name of a key in this file's version.
func (ec editContext) termFor(in agentv.Scope, key string) agentv.Term {
	if name, ok := agentv.LookupConcept(key, in).PreferredTerm(cmp.Or(ec.chunk.Version, agentv.Seed)); ok {
		return name
	}
	return agentv.Term{Text: key, Scope: in}
}

// newPair is an entry to write.
type newPair struct {
	key      string
	value    string    // a formatted scalar
	children []newPair // a mapping instead of value
}

// formatPair formats a pair in block or flow style. Later lines are indented relative to the pair.
func (ec editContext) formatPair(p newPair, flow bool) string {
	key := p.key
	if ec.json {
		key = scalar.Quote(key)
	}
	switch {
	case p.children == nil:
		return key + ": " + p.value
	case flow:
		return key + ": " + ec.flowMapping(p.children)
	}
	key += ":"
	for _, q := range p.children {
		key += "\n" + strings.Repeat(" ", syntax.IndentStep) + ec.formatPair(q, false)
	}
	return key
}

// scalarText returns a scalar as written; a multi-line one is quoted on one line.
func (ec editContext) scalarText(n *yaml.Node) string {
	if written := ec.chunk.Source.Slice(n.FullSpan()); !strings.ContainsAny(written, "\r\n") {
		return written
	}
	return scalar.Quote(n.Value)
}

// formatText formats a string so that it is valid in any position.
func (ec editContext) formatText(value string) string {
	if ec.json {
		return scalar.Quote(value)
	}
	return scalar.Format(value, scalar.FlowValue)
}

// indentLines joins lines, indenting all but the first to a column.
func (ec editContext) indentLines(lines []string, column int) string {
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\n", syntax.StyleOf(ec.chunk).Newline+strings.Repeat(" ", column))
}

func (ec editContext) formatPairs(pairs []newPair, flow bool) []string {
	return generic.Map(pairs, func(p newPair) string { return ec.formatPair(p, flow) })
}

func (ec editContext) flowMapping(pairs []newPair) string {
	space := " "
	if ec.json {
		space = ""
	}
	return "{" + space + strings.Join(ec.formatPairs(pairs, true), ", ") + space + "}"
}

// appendEntries returns edits that add entries to a criterion. A criterion in short form becomes a
// mapping.
func (ec editContext) appendEntries(n *yaml.Node, more ...newPair) []text.Edit {
	textPair := newPair{key: ec.textKey(), value: ec.scalarText(n)}
	switch flow := n.Parent.Style == yaml.Flow; {
	case n.Kind == yaml.Scalar && flow:
		return []text.Edit{{Span: n.Span, New: ec.flowMapping(append([]newPair{textPair}, more...))}}
	case n.Kind == yaml.Scalar:
		return []text.Edit{{Span: n.Span, New: ec.formatPair(textPair, false)}, ec.insertBelow(n, yaml.ColumnOf(ec.chunk.Source, n), more)}
	case n.Style == yaml.Block:
		return []text.Edit{ec.insertBelow(n, yaml.ColumnOf(ec.chunk.Source, n.Pairs[0].Key), more)}
	}
	at := n.Pairs[len(n.Pairs)-1].Span().End
	return []text.Edit{{Span: text.Span{Start: at, End: at}, New: ", " + strings.Join(ec.formatPairs(more, true), ", ")}}
}

// insertBelow returns the edit that writes pairs on lines after the last line of a node.
func (ec editContext) insertBelow(n *yaml.Node, column int, pairs []newPair) text.Edit {
	at := ec.chunk.Source.LineSpan(ec.chunk.Source.OffsetLine(n.Span.End)).End
	return text.Edit{Span: text.Span{Start: at, End: at}, New: ec.indentLines(append([]string{""}, ec.formatPairs(pairs, false)...), column)}
}

// A Refactoring is a rewrite that an editor can offer.
type Refactoring struct {
	ID             string // stable
	Title          string // lower case, without a final period
	IsExtract      bool   // it moves text to a shared place
	DisabledReason string // why it is unavailable here; "" if it is available
}

// refactoring is a Refactoring with its implementation.
type refactoring struct {
	Refactoring
	preservesMeaning bool // cases must be graded as before
	// applies reports whether the refactoring is relevant at a place, and if so, why
	// it is unavailable; "" if it is available.
	applies   func(editContext) (reason string, ok bool)
	edits     func(editContext) ([]text.Edit, error) // in spans of the chunk; of the file if wholeFile is set
	wholeFile bool                                   // it changes several chunks, but no value of the file
}
