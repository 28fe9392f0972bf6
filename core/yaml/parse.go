package yaml

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/recover"
)

// MaxDepth limits the nesting of collections.
const MaxDepth = recover.MaxDepth

// MaxBytes is the size of the largest text that is parsed.
const MaxBytes = 64 << 20

// Parse parses all documents of src.
func Parse(src *text.Source) *Tree { return ParseChunk(src, nil, nil) }

// Loaded is a chunk that a stream has loaded; nil for one that must be loaded by itself.
type Loaded = *library.Node

// NewStream returns a stream that loads the texts of chunks for [ParseChunk], one after another.
func NewStream(chunks []string) *recover.Stream {
	texts := slices.Clone(chunks)
	for i, body := range texts {
		if _, s := sanitize(body); s != nil {
			texts[i] = "" // it must be loaded by itself
		}
	}
	return recover.NewStream(texts)
}

// ParseChunk parses one chunk of a file. Aliases also resolve to the anchors in before, by name.
func ParseChunk(src *text.Source, before map[string]*Node, loaded Loaded) *Tree {
	t := &Tree{Source: src, anchorsBefore: before}
	if asJSON := ParseJSON(t.Source); asJSON != nil {
		return asJSON
	}
	if t.rejectUnreadable() {
		return t
	}
	body, s := sanitize(src.Body)
	if s != nil {
		t.Problems = s.problems
	}
	r := recover.Result{Body: body, Docs: []Loaded{loaded}}
	if loaded == nil {
		r = recover.Recover(body)
	}
	a := &aligner{source: t.Source.Body, body: r.Body, sanitizer: s}
	for _, doc := range r.Docs {
		t.Docs = append(t.Docs, a.alignDocument(doc))
	}
	a.finishTree(t)
	for _, p := range r.Problems {
		t.addLost(p)
	}
	t.checkDocuments(r.Lost)
	return t
}

// rejectUnreadable gives an empty tree to text that is too large or UTF-16.
func (t *Tree) rejectUnreadable() bool {
	body := t.Source.Body
	switch {
	case len(body) > MaxBytes:
		t.Problems = []Problem{{Kind: TooLargeProblem, Span: t.Source.LineSpan(0),
			Message: fmt.Sprintf("a text of %d MiB is not read, the limit is %d MiB", len(body)>>20, MaxBytes>>20)}}
	case len(body) >= 2 && (body[:2] == "\xff\xfe" || body[:2] == "\xfe\xff"):
		t.Problems = []Problem{{Kind: EncodingProblem, Span: t.Source.LineSpan(0),
			Message: "this text is encoded as UTF-16, save it as UTF-8"}}
	default:
		return false
	}
	t.Docs = []*Document{emptyDocument(t.Source.Whole())}
	return true
}

func emptyDocument(span text.Span) *Document {
	return &Document{Root: &Node{Tag: TagNull, Span: text.Span{Start: span.Start, End: span.Start}}, Span: span}
}

// checkDocuments runs the checks that need the whole tree and sorts the problems.
func (t *Tree) checkDocuments(lost []text.Span) {
	for _, doc := range t.Docs {
		c := &checker{tree: t, anchors: map[string]*Node{}}
		maps.Copy(c.anchors, t.anchorsBefore)
		c.checkNode(doc.Root)
		if len(c.anchors) > 0 {
			t.CheckExpansion(doc.Root)
		}
	}
	if len(lost) > 0 {
		markRecovered(t.Source.Body, t.Docs, lost)
	}
	generic.SortStable(t.Problems, func(a, b Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}

// ProblemKind identifies a kind of problem for callers with messages of their own.
type ProblemKind string

const (
	SyntaxProblem    ProblemKind = "syntax"           // not YAML; the text in Span is left out of the tree
	DuplicateKey     ProblemKind = "duplicate-key"    // Note spans the first one
	UnknownAlias     ProblemKind = "unknown-alias"    // *name without &name
	AliasCycle       ProblemKind = "alias-cycle"      // an anchor that contains its own alias
	ExpansionBudget  ProblemKind = "expansion-budget" // aliases or merge keys expand beyond MaxExpandedNodes
	EncodingProblem  ProblemKind = "encoding"         // invalid UTF-8 or control characters
	BadMerge         ProblemKind = "bad-merge"        // << with a value that is not a mapping
	DepthProblem     ProblemKind = "too-deep"         // nesting beyond MaxDepth
	TooLargeProblem  ProblemKind = "too-large"        // a text beyond MaxBytes, not parsed
	EmptyKey         ProblemKind = "empty-key"        // `: value`, legal and never meant
	TabProblem       ProblemKind = "tab"              // a tab in the indentation of a blank line
	IndentProblem    ProblemKind = "indent"           // accepted here, rejected by other parsers
	LineBreakProblem ProblemKind = "line-break"       // NEL, LS or PS: line breaks to YAML, not to editors
)

// Problem is one fault of the text as YAML.
type Problem struct {
	Kind    ProblemKind
	Span    text.Span
	Message string    // one sentence, lower case, no final period
	Note    text.Span // a second place, empty if none
}

// addLost adds the problem of a part that was left out.
func (t *Tree) addLost(p recover.Problem) {
	kind := SyntaxProblem
	if p.IsTooDeep {
		kind = DepthProblem
	}
	t.Problems = append(t.Problems, Problem{kind, p.Span, p.Message, p.Note})
}
