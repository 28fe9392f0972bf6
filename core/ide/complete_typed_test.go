// Slow and sequential: the race detector makes it ten times slower and has nothing to find.

//go:build !race

package ide_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestTypingAgain removes entries and listed values from corpus files and types their first two
// letters: they must be proposed.
func TestTypingAgain(t *testing.T) {
	keys, values := 0, 0
	entries(t, func(path, body string, p *analysis.Chunk, pair *yaml.Pair) {
		kind := syntax.ContextOf(p, pair.Value).Type
		field := syntax.ContextOf(p, pair.Key).Field
		root := p.Tree.Root()
		switch {
		case kind == nil || kind.Kind == schema.Any || pair.Value.Recovered:
			return
		case field == nil || !slices.Contains(syntax.ProposedNames(field), pair.Key.Value): // a name of the author's, or an older name
			return
		case slices.ContainsFunc(pair.Key.Parent.Pairs, func(p *yaml.Pair) bool { return p.Key.Value == "<<" }): // which may have the key
			return
		case pair.Key.Value == "input" && pair.Key.Parent.Get("vars") != nil: // without it, the test is one of AgentV's newest version
			return
		case pair.Key.Value == "id" && p.Role == promptfoo.Config: // without it, the keys of a target are names of targets
			return
		case p.Header == nil && root.IsSeq() && root.Items[0].Span.Contains(pair.Span()): // which says what the file is
			return
		}
		keys++
		checkProposed(t, path, body, p.ToFile(pair.Span()), pair.Key.Value)
		listed := slices.ContainsFunc(slices.Concat(kind.Values, kind.KnownValues), func(v schema.Value) bool { return v.Text == pair.Value.Value })
		if !listed {
			return
		}
		values++
		checkProposed(t, path, body, p.ToFile(pair.Value.Span), pair.Value.Value)
	})
	if keys < 50 || values < 10 {
		t.Errorf("only %d keys and %d values", keys, values)
	}
}

// checkProposed checks that word is proposed when only its beginning is written at a span.
func checkProposed(t *testing.T, path, body string, span text.Span, word string) {
	t.Helper()
	begun := word[:min(2, len(word))]
	a := analysis.Of(analysis.Input{Path: path, Text: body[:span.Start] + begun + body[span.End:]})
	p, offset := chunkAt(a, span.Start+len(begun))
	items := completion.Complete(p, offset, completion.Host{})
	if !slices.ContainsFunc(items, func(item completion.CompletionItem) bool { return item.Label == word }) {
		t.Errorf("%s:%d: `%s` is not one of %d items", path, a.Source().OffsetPosition(offset, text.UTF8).Line+1, word, len(items))
	}
}

// entries visits the entries of block mappings that end on their line, in valid files.
func entries(t *testing.T, visit func(path, body string, p *analysis.Chunk, pair *yaml.Pair)) {
	t.Helper()
	visitTexts(t, func(path, body string) {
		a := analysis.Of(analysis.Input{Path: path, Text: body})
		if !strings.Contains(path, "corpus/") || strings.Contains(path, "corpus/"+corpustest.Faulty+"/") || strings.HasSuffix(path, "jsonl") || len(a.Tree().Problems) > 0 {
			return
		}
		a.Chunks(func(p *analysis.Chunk) bool {
			yaml.Walk(p.Tree.Root(), func(n *yaml.Node) bool {
				for _, pair := range n.Pairs {
					if oneLine(p.Source, pair) {
						visit(path, body, p, pair)
					}
				}
				return true
			})
			return true
		})
	})
}

// oneLine reports whether an entry of a block mapping takes the rest of its line.
func oneLine(src *text.Source, pair *yaml.Pair) bool {
	span := pair.Span()
	line := src.LineSpan(src.OffsetLine(span.Start))
	return pair.Key.Parent.Style == yaml.Block && pair.Key.Style == yaml.Plain && span.End <= line.End && strings.TrimSpace(src.Body[span.End:line.End]) == ""
}
