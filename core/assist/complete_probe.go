package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// probe is the part as it would be with a word in place of what is under the
// cursor, and where that word stands in its tree. So it is the parser that says
// what could be here, however much of the rest is half typed.
type probe struct {
	part   *analysis.Part
	node   *yaml.Node // the word: a key, a value or an item
	key    bool
	column int  // block style: of the word
	dashed bool // the word had to be given a dash
}

// prober tries words in a part's text, as often as the text is worth it.
type prober struct {
	part *analysis.Part
	word string // occurs nowhere in the text
	left int    // tries
}

// How often a text is tried at most: to read one that is broken takes longer.
const (
	soundTries  = 24
	brokenTries = 6
)

func newProber(p *analysis.Part) *prober {
	r := &prober{part: p, word: "probe", left: soundTries}
	for strings.Contains(p.Source.Body, r.word) {
		r.word += "x"
	}
	if len(p.Tree.Problems) > 0 {
		r.left = brokenTries
	}
	return r
}

// try puts the word into the text and looks for it there: before and after are
// what stands around it on the line in place of what does.
func (r *prober) try(span text.Span, before, after string) (probe, bool) {
	words := before + r.word + after
	if r.left--; r.left < 0 {
		return probe{}, false
	}
	found, ok := find(replaced(r.part, readable(r.part), span, words), r.word)
	if ok || len(r.part.Tree.Problems) == 0 {
		return found, ok
	}
	line := r.part.Source.LineSpan(r.part.Source.OffsetLine(span.Start))
	return find(replaced(r.part, mended(r.part, line), span, words), r.word)
}

// replaced is a part with other words in the place of some of a body's.
func replaced(p *analysis.Part, body string, span text.Span, words string) *analysis.Part {
	part := *p
	part.Source = text.New(p.Source.Name, body[:span.Start]+words+body[span.End:])
	if p.Frame != nil && strings.Contains(body, "*") { // which may repeat an anchor of the frame
		part.Tree = yaml.ParsePart(part.Source, p.Frame.Anchors(text.Far+len(p.Frame.Source.Body)))
		if len(part.Tree.Problems) == 0 {
			return &part
		}
	}
	part.Tree = yaml.ParseEdited(part.Source, text.Span{Start: span.Start, End: span.Start + len(words)})
	return &part
}

// mended is a part's text with blanks for what is broken beside a line, so that
// nobody looks for the fault there.
func mended(p *analysis.Part, line text.Span) string {
	body := []byte(readable(p))
	for _, problem := range p.Tree.Problems {
		if problem.Kind != yaml.SyntaxProblem || problem.Span.End >= line.Start && problem.Span.Start <= line.End {
			continue
		}
		for i := max(problem.Span.Start, 0); i < min(problem.Span.End, len(body)); i++ {
			if body[i] != '\n' && body[i] != '\r' {
				body[i] = ' '
			}
		}
	}
	return string(body)
}

// find looks for a word in a part's tree.
func find(part *analysis.Part, word string) (probe, bool) {
	for _, doc := range part.Tree.Docs {
		var found *yaml.Node
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			if n.Kind == yaml.Scalar && n.Value == word {
				found = n
			}
			return found == nil
		})
		if found != nil {
			column := part.Source.OffsetPosition(found.Span.Start, text.UTF8).Character
			return probe{part: part, node: found, key: isKey(found), column: column}, true
		}
	}
	return probe{}, false
}

// probe tries what the cursor may be about to write.
func (c cursor) probe(p *analysis.Part) (probe, bool) {
	r := newProber(p)
	line := text.Span{Start: c.word.Start, End: c.line.End}
	space := ""
	if c.glued {
		space = " "
	}
	switch {
	case c.flow != nil:
		return c.probeFlow(r, space)
	case c.value:
		return r.try(line, space, "")
	case c.colon:
		return r.try(c.word, "", "")
	case !c.bare:
		return r.try(line, space, ":")
	}
	return c.probeColumns(r)
}

// probeFlow tries a key or a value between brackets, closing them where the text
// does not.
func (c cursor) probeFlow(r *prober, space string) (probe, bool) {
	after := ""
	if !c.value && !c.colon {
		after = ": 0"
	}
	if found, ok := r.try(c.word, space, after+c.comma()); ok && found.key != c.value {
		return found, true
	}
	for i := len(c.flow) - 1; i >= 0; i-- {
		after += string(c.flow[i] + 2) // both brackets close two characters on
	}
	found, ok := r.try(text.Span{Start: c.word.Start, End: c.line.End}, space, after)
	return found, ok && found.key != c.value
}

// probeColumns tries a line of its own: at the cursor's column first, then
// further left, wherever something is open. A line that is no key there may be
// an item.
func (c cursor) probeColumns(r *prober) (probe, bool) {
	line := c.line
	for _, column := range c.columns() {
		lead := strings.Repeat(" ", column)
		if found, ok := r.try(line, lead, ":"); ok && found.key {
			return found, true
		}
		if found, ok := r.try(line, lead+"- ", ":"); ok && found.key {
			found.dashed = true
			return found, true
		}
	}
	return probe{}, false
}

// columns are where a line could begin that stands in the cursor's place: its
// own, then those of what is open above, from right to left.
func (c cursor) columns() []int {
	all := []int{c.column}
	least := c.column + 1
	for end := c.line.Start - 1; end >= 0 && least > 0; {
		start := strings.LastIndexByte(c.body[:end], '\n') + 1
		if begins := beginnings(c.body[start:end]); begins != nil && begins[0] < least {
			all, least = append(all, begins...), begins[0]
		}
		end = start - 1
	}
	all = slices.DeleteFunc(all, func(column int) bool { return column > c.column })
	slices.Sort(all)
	slices.Reverse(all)
	return slices.Compact(all)
}

// beginnings are the columns of a line's dashes and of what follows them; none
// for a line without content.
func beginnings(line string) (columns []int) {
	words := strings.TrimLeft(line, " ")
	if strings.TrimSpace(words) == "" || words[0] == '#' {
		return nil
	}
	for {
		columns = append(columns, len(line)-len(words))
		if !strings.HasPrefix(words, "- ") {
			return columns
		}
		words = strings.TrimLeft(words[1:], " ")
	}
}
