package draft

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Insert gives the edits that add key with the criteria as the last entry of
// the mapping entry, in the mapping's own style. They only insert, and they
// have been tried: the text they give is read again, and every other value and
// every comment is what it was.
func Insert(tree *yaml.Tree, entry *yaml.Node, key string, criteria []Criterion) ([]text.Edit, error) {
	if entry.Kind != yaml.Mapping || len(entry.Pairs) == 0 {
		return nil, errors.New("criteria can be added only to a case that is a mapping with keys")
	}
	if entry.Pair(key) != nil {
		return nil, fmt.Errorf("the case has `%s` already", key)
	}
	s := styleOf(tree, entry)
	var refused error
	for _, edit := range s.edits(tree.Source, entry, key, criteria) {
		edits := []text.Edit{edit}
		err := verify(tree, entry, key, criteria, edits)
		if err == nil {
			return edits, nil
		}
		if refused == nil {
			refused = err
		}
	}
	return nil, refused
}

// edits are the places that may do, the likeliest first.
func (s style) edits(src *text.Source, entry *yaml.Node, key string, criteria []Criterion) []text.Edit {
	if entry.Style == yaml.Flow {
		return []text.Edit{s.flow(src, entry, key, criteria)}
	}
	last := src.OffsetLine(max(entry.Span.End-1, entry.Span.Start))
	blank := last
	for blank+1 < src.Lines() && strings.TrimSpace(src.Slice(src.LineSpan(blank+1))) == "" {
		blank++
	}
	return []text.Edit{
		s.block(src, entry, key, criteria, last),
		s.block(src, entry, key, criteria, blank), // the lines that a block scalar keeps (`|+`) are its own
	}
}

// block writes after a whole line, so that a comment on that line stays with it.
func (s style) block(src *text.Source, entry *yaml.Node, key string, criteria []Criterion, line int) text.Edit {
	at := src.LineSpan(line).End
	margin := column(src, entry.Pairs[0].Key.Span.Start)
	indent := strings.Repeat(" ", margin)
	dash := indent + strings.Repeat(" ", s.dash)
	var b strings.Builder
	b.WriteString(s.newline + indent + s.key(key) + ":")
	for _, c := range criteria {
		lead := s.newline + dash + "-" + strings.Repeat(" ", s.step-1)
		for _, f := range s.fields(c, false) {
			b.WriteString(lead + f[0] + ": " + f[1])
			lead = s.newline + dash + strings.Repeat(" ", s.step)
		}
	}
	return text.Edit{Span: text.Span{Start: at, End: at}, New: b.String()}
}

// flow writes before the closing brace, on the same line.
func (s style) flow(src *text.Source, entry *yaml.Node, key string, criteria []Criterion) text.Edit {
	at := entry.Pairs[len(entry.Pairs)-1].Span().End
	rest := strings.TrimLeft(src.Body[at:entry.Span.End], " \t\r\n")
	sep := ", "
	if strings.HasPrefix(rest, ",") {
		at += strings.Index(src.Body[at:], ",") + 1
		sep = " "
	}
	items := make([]string, len(criteria))
	for i, c := range criteria {
		var parts []string
		for _, f := range s.fields(c, true) {
			parts = append(parts, f[0]+": "+f[1])
		}
		items[i] = "{" + strings.Join(parts, ", ") + "}"
	}
	return text.Edit{Span: text.Span{Start: at, End: at}, New: sep + s.key(key) + ": [" + strings.Join(items, ", ") + "]"}
}
