package completion

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// probe is the chunk with a placeholder word instead of the word at the cursor, and the node of that
// word. It lets the parser decide what may be written there, even when the text is half typed.
type probe struct {
	chunk     *analysis.Chunk
	node      *yaml.Node // the placeholder: a key, value or item
	isKey     bool
	column    int  // column of the word, in block style
	needsDash bool // a dash was inserted before the word
}

// prober parses a chunk with a placeholder word at different places.
type prober struct {
	chunk     *analysis.Chunk
	word      string // does not occur in the text
	triesLeft int
}

// How often a text is parsed at most. Broken text takes longer to parse.
const (
	maxTriesValid  = 24
	maxTriesBroken = 6
)

func newProber(p *analysis.Chunk) *prober {
	pr := &prober{chunk: p, word: "probe", triesLeft: maxTriesValid}
	for strings.Contains(p.Source.Body, pr.word) {
		pr.word += "x"
	}
	if len(p.Tree.Problems) > 0 {
		pr.triesLeft = maxTriesBroken
	}
	return pr
}

// parseWith replaces a span by the placeholder between before and after, and looks for the
// placeholder in the resulting tree.
func (pr *prober) parseWith(span text.Span, before, after string) (probe, bool) {
	words := before + pr.word + after
	if pr.triesLeft--; pr.triesLeft < 0 {
		return probe{}, false
	}
	found, ok := findProbe(replaceText(pr.chunk, yamlBody(pr.chunk), span, words), pr.word)
	if ok || len(pr.chunk.Tree.Problems) == 0 {
		return found, ok
	}
	line := pr.chunk.Source.LineSpan(pr.chunk.Source.OffsetLine(span.Start))
	return findProbe(replaceText(pr.chunk, blankProblems(pr.chunk, line), span, words), pr.word)
}

// replaceText returns a copy of the chunk with the span of body replaced by words.
func replaceText(p *analysis.Chunk, body string, span text.Span, words string) *analysis.Chunk {
	chunk := *p
	chunk.Source = text.New(p.Source.Name, body[:span.Start]+words+body[span.End:])
	var anchors map[string]*yaml.Node
	if p.Header != nil && strings.Contains(body, "*") { // an alias may refer to an anchor of the header
		anchors = p.Header.AnchorsBefore(text.HeaderBase + len(p.Header.Source.Body))
	}
	chunk.Tree = yaml.ParseChunk(chunk.Source, anchors, nil)
	return &chunk
}

// blankProblems returns a chunk's text with blanks for syntax errors outside a line, so that they do
// not hide the placeholder.
func blankProblems(p *analysis.Chunk, line text.Span) string {
	body := []byte(yamlBody(p))
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

// findProbe looks for the placeholder in a chunk's tree.
func findProbe(chunk *analysis.Chunk, word string) (probe, bool) {
	for n := range chunk.Tree.Nodes() {
		if n.Kind == yaml.Scalar && n.Value == word {
			return probe{chunk: chunk, node: n, isKey: syntax.IsKey(n), column: yaml.ColumnOf(chunk.Source, n)}, true
		}
	}
	return probe{}, false
}

// findProbe parses the forms that the cursor may be about to write.
func (c cursor) findProbe(p *analysis.Chunk) (probe, bool) {
	pr := newProber(p)
	line := text.Span{Start: c.word.Start, End: c.line.End}
	space := ""
	if c.needsSpace {
		space = " "
	}
	switch {
	case c.brackets != nil:
		return c.probeBrackets(pr, space)
	case c.isValue:
		return pr.parseWith(line, space, "")
	case c.hasColon:
		return pr.parseWith(c.word, "", "")
	case !c.aloneOnLine:
		return pr.parseWith(line, space, ":")
	}
	return c.probeColumns(pr)
}

// probeBrackets tries a key or value in brackets. If that fails it also closes the brackets.
func (c cursor) probeBrackets(pr *prober, space string) (probe, bool) {
	after := ""
	if !c.isValue && !c.hasColon {
		after = ": 0"
	}
	if found, ok := pr.parseWith(c.word, space, after+c.separatorAfter()); ok && found.isKey != c.isValue {
		return found, true
	}
	for i := len(c.brackets) - 1; i >= 0; i-- {
		after += string(c.brackets[i] + 2) // closing brackets are two code points after opening ones
	}
	found, ok := pr.parseWith(text.Span{Start: c.word.Start, End: c.line.End}, space, after)
	return found, ok && found.isKey != c.isValue
}

// probeColumns tries a line of its own: first at the cursor's column, then at each open column
// further left. Each column is tried as a key and as a list item.
func (c cursor) probeColumns(pr *prober) (probe, bool) {
	line := c.line
	for _, column := range c.candidateColumns() {
		lead := strings.Repeat(" ", column)
		if found, ok := pr.parseWith(line, lead, ":"); ok && found.isKey {
			return found, true
		}
		if found, ok := pr.parseWith(line, lead+"- ", ":"); ok && found.isKey {
			found.needsDash = true
			return found, true
		}
	}
	return probe{}, false
}

// candidateColumns returns where the line could start: its own column, then those of open
// collections above, from right to left.
func (c cursor) candidateColumns() []int {
	all := []int{c.column}
	least := c.column + 1
	for end := c.line.Start - 1; end >= 0 && least > 0; {
		start := strings.LastIndexByte(c.body[:end], '\n') + 1
		if begins := contentColumns(c.body[start:end]); begins != nil && begins[0] < least {
			all, least = append(all, begins...), begins[0]
		}
		end = start - 1
	}
	all = slices.DeleteFunc(all, func(column int) bool { return column > c.column })
	slices.Sort(all)
	slices.Reverse(all)
	return slices.Compact(all)
}

// contentColumns returns the columns of a line's dashes and of its content; nil for a blank line or
// comment.
func contentColumns(line string) (columns []int) {
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
