// Slow and sequential: the race detector makes it ten times slower and has nothing to find.

//go:build !race

package ide_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/ide/fold"
	"github.com/rubric-ls/rubric/core/ide/format"
	"github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/ide/outline"
	"github.com/rubric-ls/rubric/core/ide/selection"
	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// corpus visits the eval files of the corpus.
func corpus(t *testing.T, visit func(t *testing.T, a *analysis.Analysis)) {
	t.Helper()
	for _, file := range corpustest.Files(t, "", ".yaml", ".yml", ".json", ".jsonl") {
		t.Run(file.Path, func(t *testing.T) { visit(t, analysis.Of(analysis.Input{Path: file.Path, Text: file.Body})) })
	}
}

// checkStretch compares the answers for a span with those for the file.
func checkStretch(t *testing.T, a *analysis.Analysis, within text.Span) {
	t.Helper()
	folds := slices.DeleteFunc(fold.FoldsIn(a, text.Span{End: a.Length()}), func(f fold.Fold) bool { return f.Span.End < within.Start || f.Span.Start > within.End })
	if got := fold.FoldsIn(a, within); !slices.Equal(got, folds) {
		t.Errorf("the folds in %v are %v, want %v", within, got, folds)
	}
	if got, want := outline.Tree(newFile(a), within), touching(a, fileSymbols(a), within); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("the symbols in %v are %v, want %v", within, got, want)
	}
}

// touching returns the symbols that touch a span.
func touching(a *analysis.Analysis, all []ide.DocumentSymbol, within text.Span) (some []ide.DocumentSymbol) {
	for _, s := range all {
		if span := spanOf(a, s.Range); span.Start <= within.End && within.Start <= span.End {
			s.Children = touching(a, s.Children, within)
			some = append(some, s)
		}
	}
	return some
}

// checkAnswers checks invariants of the answers about a file.
func checkAnswers(t *testing.T, a *analysis.Analysis) {
	t.Helper()
	whole := text.Span{End: a.Length()}
	checkSymbols(t, a, whole, fileSymbols(a))
	var folds []text.Span
	for _, f := range fold.FoldsIn(a, text.Span{End: a.Length()}) {
		for _, outer := range folds {
			if f.Span.Start < outer.End && !outer.Contains(f.Span) {
				t.Errorf("the fold %v is half in %v", f.Span, outer)
			}
		}
		if !whole.Contains(f.Span) {
			t.Errorf("the fold %v leaves the text", f.Span)
		}
		folds = append(folds, f.Span)
	}
	for _, within := range []text.Span{{}, {Start: whole.End / 3, End: whole.End / 2}, {Start: whole.End / 2, End: whole.End/2 + 1}, {Start: whole.End, End: whole.End}} {
		checkStretch(t, a, within)
	}
	a.Chunks(func(p *analysis.Chunk) bool {
		end := 0
		for _, token := range token.Tokens(p) {
			if token.Span.Start < end || token.Span.Empty() || strings.ContainsAny(p.Source.Slice(token.Span), "\r\n") || token.Span.End > len(p.Source.Body) {
				t.Errorf("the token %v after %d: %q", token, end, p.Source.Slice(token.Span))
			}
			end = token.Span.End
		}
		for _, link := range navigation.Links(p) {
			if link.Span.Empty() || !whole.Contains(p.ToFile(link.Span)) || (link.Path == "") == (link.URL == "") {
				t.Errorf("the link %+v", link)
			}
		}
		return true
	})
}

func checkSymbols(t *testing.T, a *analysis.Analysis, within text.Span, all []ide.DocumentSymbol) {
	t.Helper()
	for _, s := range all {
		span, head := spanOf(a, s.Range), spanOf(a, s.SelectionRange)
		if !within.Contains(span) || !span.Contains(head) || s.Name == "" || strings.ContainsAny(s.Name+s.Detail, "\r\n") {
			t.Errorf("%s %q at %v, head %v, in %v", symbolKinds[s.Kind], s.Name, span, head, within)
		}
		checkSymbols(t, a, span, s.Children)
	}
}

// checkAt checks invariants of the answers at an offset.
func checkAt(t *testing.T, a *analysis.Analysis, offset int) {
	t.Helper()
	p := a.ChunkAt(offset)
	last := text.Span{}
	for i, span := range selection.Selections(p, p.FromFile(offset)) {
		if i > 0 && (!span.Contains(last) || span == last) || !span.Touches(p.FromFile(offset)) {
			t.Errorf("at %d the selection grows from %v to %v", offset, last, span)
		}
		last = span
	}
	for _, h := range navigation.HighlightsAt(newFile(a), offset) {
		if spanOf(a, h.Range).Empty() {
			t.Errorf("at %d the highlight %v", offset, h.Range)
		}
	}
	navigation.LinkedAt(newFile(a), offset)
	navigation.DefinitionAt(newFile(a, a), offset)
}

// checkFormat checks that formatting keeps values and comments, and is idempotent.
func checkFormat(t *testing.T, a *analysis.Analysis) {
	t.Helper()
	edits := format.FormatRange(a, text.Span{End: a.Length()})
	if len(edits) == 0 {
		return
	}
	tidy := edited(t, a, edits)
	if yaml.EncodeJSON(tidy.Tree().Root(), "") != yaml.EncodeJSON(a.Tree().Root(), "") || len(tidy.Tree().Comments) != len(a.Tree().Comments) {
		t.Errorf("formatting changes values:\n%s", tidy.Source().Body)
	}
	if more := format.FormatRange(tidy, text.Span{End: tidy.Length()}); len(more) > 0 {
		t.Errorf("formatting is not idempotent: %v", more)
	}
}

// TestFormatEnterOfCorpus checks that a line break at the end of any line changes only that line and
// the indentation of the next.
func TestFormatEnterOfCorpus(t *testing.T) {
	corpus(t, func(t *testing.T, a *analysis.Analysis) {
		for line := 0; line < 60; line += 3 {
			at := a.Source().PositionOffset(text.Position{Line: line, Character: 1000}, text.UTF8)
			broken := a.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: "\n"})
			edits := format.FormatOnEnter(broken, at+1)
			if len(edits) == 0 {
				continue
			}
			if after := edited(t, broken, edits); yaml.EncodeJSON(after.Tree().Root(), "") != yaml.EncodeJSON(broken.Tree().Root(), "") {
				t.Errorf("line %d: %v", line, edits)
			}
		}
	})
}

func TestStructureOfCorpus(t *testing.T) {
	corpus(t, func(t *testing.T, a *analysis.Analysis) {
		checkAnswers(t, a)
		checkFormat(t, a)
		for offset := 0; offset <= a.Length(); offset += 173 {
			checkAt(t, a, offset)
		}
	})
}

// TestRenameAndBack renames every name and back, which must restore the bytes.
func TestRenameAndBack(t *testing.T) {
	renamed := 0
	corpus(t, func(t *testing.T, a *analysis.Analysis) {
		for _, offset := range nameTokens(a) {
			if len(navigation.DefinitionAt(newFile(a), offset)) > 1 {
				continue // duplicates are distinguished by it
			}
			found, err := navigation.RenameableAt(newFile(a), offset)
			if err != nil {
				t.Errorf("at %d: %v", offset, err)
				continue
			}
			name := found.Placeholder
			there, at := rename(t, a, offset, name+"-2")
			back, _ := rename(t, there, at, name)
			if back.Source().Body != a.Source().Body || there.Source().Body == a.Source().Body {
				t.Errorf("`%s` cannot be renamed and back", name)
			}
			renamed++
		}
	})
	if renamed < 50 {
		t.Errorf("only %d names", renamed)
	}
}

// nameTokens returns the offsets of names in a file, a few for each chunk.
func nameTokens(a *analysis.Analysis) (offsets []int) {
	a.Chunks(func(p *analysis.Chunk) bool {
		n := 0
		for _, tok := range token.Tokens(p) {
			name := tok.Type == token.CaseToken || tok.Type == token.NameToken || tok.Type == token.AnchorToken
			if n++; name && n < 40 {
				offsets = append(offsets, p.ToFile(tok.Span).Start+1)
			}
		}
		return true
	})
	return offsets
}

// rename returns a file after a rename, and the new offset.
func rename(t *testing.T, a *analysis.Analysis, offset int, to string) (*analysis.Analysis, int) {
	t.Helper()
	edit, err := navigation.RenameAt(newFile(a), offset, to)
	if err != nil || len(edit.DocumentChanges) != 1 {
		t.Fatalf("at %d: %v, %v", offset, edit, err)
	}
	var edits []text.Edit
	moved := offset
	for _, e := range edit.DocumentChanges[0].(ide.DocumentEdit).Edits {
		span := spanOf(a, e.Range)
		if span.End <= offset {
			moved += len(e.NewText) - span.Len()
		}
		edits = append(edits, text.Edit{Span: span, New: e.NewText})
	}
	return edited(t, a, edits), moved
}

// FuzzStructure checks that no text makes an answer panic or violate an invariant.
func FuzzStructure(f *testing.F) {
	paths, err := filepath.Glob("testdata/structure/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, s := range sections(string(body)) {
			if len(strings.Fields(s.name)) == 1 && strings.Contains(s.name, ".") {
				plain, _ := unmarked(s.body)
				f.Add(s.name, plain, 40)
			}
		}
	}
	f.Fuzz(func(t *testing.T, path, body string, offset int) {
		a := analysis.Of(analysis.Input{Path: path, Text: body})
		checkAnswers(t, a)
		offset = max(0, min(offset, len(body)))
		checkFormat(t, a)
		format.FormatOnEnter(a, offset)
		refactored(t, a, offset)
		if edits, left, err := action.Migrate(a, agentv.V4); err != nil && len(edits) > 0 || len(left) > len(body) {
			t.Error("unverified edits")
		}
		checkAt(t, a, offset)
		if _, err := navigation.RenameAt(newFile(a, a), offset, "other"); err != nil && err.Error() == "" {
			t.Error("an error without message")
		}
	})
}

// TestRepointedLinks changes all links and back, which must restore the bytes.
func TestRepointedLinks(t *testing.T) {
	repointed := 0
	corpus(t, func(t *testing.T, a *analysis.Analysis) {
		there := repoint(t, a, func(path string) string { return "moved/" + path })
		if there == nil {
			return
		}
		repointed++
		if back := repoint(t, there, func(path string) string { return strings.TrimPrefix(path, "moved/") }); back == nil || back.Source().Body != a.Source().Body {
			t.Error("the bytes differ")
		}
	})
	if repointed == 0 {
		t.Errorf("%d files", repointed)
	}
}

// repoint returns a file with changed message file paths; nil if it has none.
func repoint(t *testing.T, a *analysis.Analysis, to func(string) string) *analysis.Analysis {
	t.Helper()
	var edits []text.Edit
	a.Chunks(func(p *analysis.Chunk) bool {
		for _, e := range navigation.RepointLinks(p, func(l ide.Link) (string, bool) { return to(l.Path), !strings.Contains(l.Path, "schema") }) {
			edits = append(edits, text.Edit{Span: p.ToFile(e.Span), New: e.New})
		}
		return true
	})
	if len(edits) == 0 {
		return nil
	}
	return edited(t, a, edits)
}
