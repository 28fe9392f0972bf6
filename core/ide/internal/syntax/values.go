package syntax

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FlattenUnion returns the choices of a union, or the type itself.
func FlattenUnion(t *schema.Type) (all []*schema.Type) {
	if t.Kind != schema.Union {
		return []*schema.Type{t}
	}
	for _, c := range t.Choices {
		all = append(all, FlattenUnion(c)...)
	}
	return all
}

// FileScheme prefixes strings that refer to a file, in later versions.
const FileScheme = "file://"

// IsCriterion reports whether an item is in a list of criteria. A string may also be in a list of
// graders.
func (v Value) IsCriterion() bool {
	return v.Type != nil && slices.ContainsFunc(append([]*schema.Type{v.Type}, v.Type.Choices...), func(t *schema.Type) bool {
		scope, _ := agentv.ScopeOf(t)
		return scope == agentv.InCriterion
	})
}

// TypeValues returns the strings that a type lists, including the choices of a union.
func TypeValues(t *schema.Type) []schema.Value {
	var all []schema.Value
	for _, s := range FlattenUnion(t) {
		all = slices.Concat(all, s.Values, s.KnownValues)
	}
	return all
}

// FieldAndOwner returns the field and owner of a value. A list item has those of its list.
func (v Value) FieldAndOwner() (*schema.Field, *schema.Type) {
	if v.Pair == nil && v.Parent != nil {
		v = *v.Parent
	}
	return v.Field, v.Owner
}

// AcceptsPlainText reports whether a string may stand for the full form of a type.
func AcceptsPlainText(t *schema.Type) bool {
	return t != nil && slices.ContainsFunc(t.Choices, func(c *schema.Type) bool { return c.Kind == schema.Text })
}

// SelectingTag returns the tag that selects the variant t if f is the tag field, else "".
func SelectingTag(t *schema.Type, f *schema.Field) string {
	for _, value := range t.TagValues {
		if slices.ContainsFunc(TypeValues(f.Type), func(v schema.Value) bool { return v.Text == value }) {
			return value
		}
	}
	return ""
}

// Keys by their names in all versions.
var (
	casesKeys  = termNames(agentv.InFile, agentv.CasesKey)
	GraderKeys = termNames(agentv.InGrader, "name")
	TextKeys   = map[agentv.Scope][]string{ // text that is judged
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

// IsCaseList reports whether a value is the file's list of cases.
func (v Value) IsCaseList() bool {
	return v.Pair != nil && v.Node.Parent.Parent == nil && slices.Contains(casesKeys, v.Pair.Key.Value)
}

// IsBand reports whether a value is a band in a mapping of score ranges.
func (v Value) IsBand() bool {
	return v.Pair != nil && v.Owner == seed.ScoreMapType && v.Node.Kind != yaml.Alias && !v.Pair.IsMerge()
}

// IsTargetType reports whether t describes a target.
func IsTargetType(t *schema.Type) bool {
	return t != nil && (t.Name == "provider" || t.Name == "target" || strings.HasPrefix(t.Name, "target-"))
}

// ProposedNames returns the names to propose for a field: the first current name, and the name of a
// shorter form if there is one.
func ProposedNames(f *schema.Field) []string {
	names := slices.DeleteFunc(f.Names(), func(name string) bool { return slices.Contains(f.DeprecatedNames, name) })
	switch {
	case len(names) == 0:
		return nil
	case f.AliasType != nil && names[0] == f.Key:
		return []string{f.Key, f.Aliases[0]}
	}
	return names[:1]
}

// HasQuotedKeys reports whether the flow collection around n uses JSON keys in double quotes.
func HasQuotedKeys(n *yaml.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		for _, pair := range up.Pairs {
			if pair.Key != n && up.Style == yaml.Flow {
				return pair.Key.Style == yaml.DoubleQuoted
			}
		}
	}
	return n.Style == yaml.DoubleQuoted
}

// IndentStep is the indentation of a nested mapping.
const IndentStep = 2

// EndOnLine returns where a span ends on its first line.
func EndOnLine(src *text.Source, span text.Span) int {
	return min(span.End, src.LineSpan(src.OffsetLine(span.Start)).End)
}

// ChunkSpan returns the span of a chunk in its file. ok is false for the header, the text around the
// cases, which has two spans.
func ChunkSpan(a *analysis.Analysis, p *analysis.Chunk) (inFile text.Span, ok bool) {
	whole := p.Source.Whole()
	if p.Role != agentv.Cases && p.Header == nil && whole.Len() < a.Length() {
		return text.Span{}, false
	}
	return p.ToFile(whole), true
}

// UnquotedSpan returns the span of a node without its quotes.
func UnquotedSpan(n *yaml.Node) text.Span {
	if quoted := n.Style == yaml.SingleQuoted || n.Style == yaml.DoubleQuoted; quoted && n.Span.Len() >= 2 {
		return text.Span{Start: n.Span.Start + 1, End: n.Span.End - 1}
	}
	return n.Span
}

// WordAt returns the word around an offset within a span; it may be empty.
func WordAt(body string, offset int, within text.Span, isWordRune func(rune) bool) text.Span {
	before, after := body[min(within.Start, offset):offset], body[offset:max(within.End, offset)]
	return text.Span{
		Start: offset - len(before) + len(strings.TrimRightFunc(before, isWordRune)),
		End:   offset + len(after) - len(strings.TrimLeftFunc(after, isWordRune)),
	}
}

// IsWordRune reports whether a rune belongs to a word.
func IsWordRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// Style says how new lines are to be written.
type Style struct {
	Newline string
	Dash    int  // columns from a key to the dashes of its list
	Json    bool // keys and texts are in double quotes
}

// StyleOf derives the style from a chunk, and the dash from how the file indents the chunk itself.
func StyleOf(p *analysis.Chunk) Style {
	s := Style{Newline: p.Source.Newline(), Dash: 2}
	if root, list := p.Tree.Root(), yaml.MeasureListIndent(p.Source, p.Tree.Root()); list.Step > 0 {
		s.Dash = list.Dash
	} else if root.Kind == yaml.Sequence && root.Style == yaml.Block && p.Header != nil {
		s.Dash = min(yaml.ColumnOf(p.Source, root), 4)
	}
	return s
}
