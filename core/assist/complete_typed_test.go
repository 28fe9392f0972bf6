package assist_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestTypingAKey takes keys out of the files that people have written, with what
// stands behind them, and types them again: after two letters they are proposed.
func TestTypingAKey(t *testing.T) {
	typed := 0
	texts(t, func(path, body string) {
		a := analysis.Of(analysis.Input{Path: path, Text: body})
		if !strings.Contains(path, "corpus") || strings.HasSuffix(path, "jsonl") || len(a.Tree().Problems) > 0 {
			return
		}
		n := 0
		a.Parts(func(p *analysis.Part) bool {
			yaml.Walk(p.Tree.Root(), func(node *yaml.Node) bool {
				for _, pair := range node.Pairs {
					if t := assist.TypeOf(p, pair.Value); t == nil || t.Kind == schema.Any || pair.Key.Value == "aml_screening" || len(pair.Key.Value) < 3 || !oneLine(p.Source, pair) {
						continue
					}
					if n++; n%3 != 0 {
						continue
					}
					typed++
					span := p.Place(pair.Span())
					begun := analysis.Of(analysis.Input{Path: path, Text: body[:span.Start] + pair.Key.Value[:2] + body[span.End:]})
					part, offset := at(begun, span.Start+2)
					items := assist.Complete(part, offset, assist.Host{})
					if !slices.ContainsFunc(items, func(item assist.Item) bool { return item.Label == pair.Key.Value }) {
						line := a.Position(span.Start, text.UTF8).Line + 1
						t.Errorf("%s:%d: `%s` is not proposed among %d", path, line, pair.Key.Value, len(items))
					}
				}
				return true
			})
			return true
		})
	})
	if _, err := os.Stat("../../../shared"); err == nil && typed < 100 {
		t.Errorf("only %d keys", typed)
	}
}

// oneLine reports whether an entry of a block mapping is all of the rest of its line.
func oneLine(src *text.Source, pair *yaml.Pair) bool {
	span := pair.Span()
	line := src.LineSpan(src.OffsetLine(span.Start))
	return pair.Key.Parent.Style == yaml.Block && pair.Key.Style == yaml.Plain && span.End <= line.End && strings.TrimSpace(src.Body[span.End:line.End]) == ""
}
