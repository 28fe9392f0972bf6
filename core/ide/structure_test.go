package ide_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
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
)

// section is a named section of a marker file.
type section struct{ name, body string }

var sectionLine = regexp.MustCompile(`(?m)^-- (.+) --\n`)

func sections(body string) (all []section) {
	heads := sectionLine.FindAllStringSubmatchIndex(body, -1)
	for i, h := range heads {
		end := len(body)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		all = append(all, section{body[h[2]:h[3]], body[h[1]:end]})
	}
	return all
}

var markPattern = regexp.MustCompile(`⟨(\w*)⟩`)

// unmarked returns a source without its marks, and their spans. Two marks with one name delimit a
// span.
func unmarked(body string) (plain string, marks map[string]text.Span) {
	marks = map[string]text.Span{}
	var b strings.Builder
	last := 0
	for _, m := range markPattern.FindAllStringSubmatchIndex(body, -1) {
		b.WriteString(body[last:m[0]])
		last = m[1]
		name := body[m[2]:m[3]]
		span, seen := marks[name]
		if !seen {
			span.Start = b.Len()
		}
		span.End = b.Len()
		marks[name] = span
	}
	return b.String() + body[last:], marks
}

// fixture is the file under test in a marker file, and the other files.
type fixture struct {
	files []*analysis.Analysis // the file under test first
	names []string
	marks map[string]text.Span
}

func (fx *fixture) main() *analysis.Analysis { return fx.files[0] }

// file returns the file under test as features see it. Its positions count bytes.
func (fx *fixture) file() *ide.File { return newFile(fx.files[0], fx.files[1:]...) }

// newFile returns a file whose URI is its name among others.
func newFile(a *analysis.Analysis, others ...*analysis.Analysis) *ide.File {
	f := &ide.File{Analysis: a, URI: a.Source().Name, Client: &ide.Client{Encoding: text.UTF8, HasDocumentChanges: true, HasSymbolTree: true}}
	f.Host.Others = func() (all []*ide.File) {
		for _, other := range others {
			all = append(all, newFile(other))
		}
		return all
	}
	return f
}

// spanOf returns the span of a range of [newFile].
func spanOf(a *analysis.Analysis, r text.Range) text.Span { return a.Span(r, text.UTF8) }

// show formats the position and text of a span for golden files.
func show(a *analysis.Analysis, span text.Span) string {
	r := a.Source().SpanRange(span, text.UTF16)
	words := a.Source().Slice(span)
	if len(words) > 60 {
		words = words[:40] + "…" + words[len(words)-15:]
	}
	return fmt.Sprintf("%d:%d-%d:%d %q", r.Start.Line+1, r.Start.Character+1, r.End.Line+1, r.End.Character+1, words)
}

// answers are the requests that sections may make, by the first word. The second word is a mark.
var answers = map[string]func(fx *fixture, b *strings.Builder, args []string){
	"symbols": func(fx *fixture, b *strings.Builder, _ []string) {
		showSymbols(fx, b, outline.Tree(fx.file(), text.Span{End: fx.main().Length()}), "")
	},
	"find": func(fx *fixture, b *strings.Builder, args []string) {
		for _, m := range outline.Search(fx.file(), args[0]) {
			fmt.Fprintf(b, "%d %s %q in %q\n", m.Rank, symbolKinds[m.Kind], m.Name, m.ContainerName)
		}
	},
	"folds": func(fx *fixture, b *strings.Builder, _ []string) {
		for _, f := range fold.FoldsIn(fx.main(), text.Span{End: fx.main().Length()}) {
			r := fx.main().Source().SpanRange(f.Span, text.UTF16)
			fmt.Fprintf(b, "%d-%d", r.Start.Line+1, r.End.Line+1)
			if f.IsComment {
				b.WriteString(" comment")
			}
			b.WriteString("\n")
		}
	},
	"tokens": func(fx *fixture, b *strings.Builder, _ []string) {
		fx.main().Chunks(func(p *analysis.Chunk) bool {
			for _, t := range token.Tokens(p) {
				fmt.Fprintf(b, "%s %s", token.TokenTypes[t.Type], show(fx.main(), p.ToFile(t.Span)))
				for i, name := range token.TokenModifiers {
					if t.Modifiers&(1<<i) != 0 {
						b.WriteString(" " + name)
					}
				}
				b.WriteString("\n")
			}
			return true
		})
	},
	"format": func(fx *fixture, b *strings.Builder, args []string) {
		span := text.Span{End: fx.main().Length()}
		if len(args) > 0 {
			span = fx.marks[args[0]]
		}
		for _, e := range format.FormatRange(fx.main(), span) {
			fmt.Fprintf(b, "%s → %q\n", show(fx.main(), e.Span), e.New)
		}
	},
	"enter": func(fx *fixture, b *strings.Builder, args []string) {
		for _, e := range format.FormatOnEnter(fx.main(), fx.marks[args[0]].Start) {
			fmt.Fprintf(b, "%s → %q\n", show(fx.main(), e.Span), e.New)
		}
	},
	"offered": func(fx *fixture, b *strings.Builder, args []string) {
		for _, r := range action.Refactorings(fx.main(), fx.marks[args[0]].Start) {
			fmt.Fprintf(b, "%s: %s\n", r.ID, r.Title)
			if r.DisabledReason != "" {
				fmt.Fprintf(b, "  not here: %s\n", r.DisabledReason)
			}
		}
	},
	"refactor": func(fx *fixture, b *strings.Builder, args []string) {
		edits, err := action.Refactor(fx.main(), fx.marks[args[0]].Start, args[1])
		fx.showResult(b, edits, err)
	},
	"migrate": func(fx *fixture, b *strings.Builder, args []string) {
		edits, left, err := action.Migrate(fx.main(), agentv.Version(args[0]))
		fx.showResult(b, edits, err)
		for _, l := range left {
			fmt.Fprintf(b, "left: %s: %s\n", show(fx.main(), l.Span), l.Reason)
		}
	},
	"links": func(fx *fixture, b *strings.Builder, _ []string) {
		fx.main().Chunks(func(p *analysis.Chunk) bool {
			for _, l := range navigation.Links(p) {
				fmt.Fprintf(b, "%s → %s%s", show(fx.main(), p.ToFile(l.Span)), l.Path, l.URL)
				if l.Dir != "" {
					b.WriteString(" in " + l.Dir)
				}
				b.WriteString("\n")
			}
			return true
		})
	},
	"repoint": func(fx *fixture, b *strings.Builder, args []string) {
		fx.main().Chunks(func(p *analysis.Chunk) bool {
			for _, e := range navigation.RepointLinks(p, func(l ide.Link) (string, bool) {
				return "new/" + strings.Join(args, " "), strings.HasSuffix(l.Path, args[0])
			}) {
				fmt.Fprintf(b, "%s → %s\n", show(fx.main(), p.ToFile(e.Span)), e.New)
			}
			return true
		})
	},
	"highlight": func(fx *fixture, b *strings.Builder, args []string) {
		for _, h := range navigation.HighlightsAt(fx.file(), fx.marks[args[0]].Start) {
			fmt.Fprintf(b, "%d %s\n", h.Kind, show(fx.main(), spanOf(fx.main(), h.Range)))
		}
	},
	"linked": func(fx *fixture, b *strings.Builder, args []string) {
		linked := navigation.LinkedAt(fx.file(), fx.marks[args[0]].Start)
		if linked == nil {
			return
		}
		for _, r := range linked.Ranges {
			b.WriteString(show(fx.main(), spanOf(fx.main(), r)) + "\n")
		}
	},
	"definition": func(fx *fixture, b *strings.Builder, args []string) {
		fx.showLocations(b, navigation.DefinitionAt(fx.file(), fx.marks[args[0]].Start))
	},
	"references": func(fx *fixture, b *strings.Builder, args []string) {
		fx.showLocations(b, navigation.ReferencesAt(fx.file(), fx.marks[args[0]].Start, false))
	},
	"rename": func(fx *fixture, b *strings.Builder, args []string) {
		at := fx.marks[args[0]].Start
		if r, err := navigation.RenameableAt(fx.file(), at); err == nil {
			fmt.Fprintf(b, "%q at %s\n", r.Placeholder, show(fx.main(), spanOf(fx.main(), r.Range)))
		}
		edit, err := navigation.RenameAt(fx.file(), at, strings.Join(args[1:], " "))
		fx.showChanges(b, edit, err)
	},
	"select": func(fx *fixture, b *strings.Builder, args []string) {
		p, local := fx.at(args[0])
		for _, span := range selection.Selections(p, local.Start) {
			b.WriteString(show(fx.main(), p.ToFile(span)) + "\n")
		}
	},
}

// named returns the file with a name.
func (fx *fixture) named(name string) *analysis.Analysis {
	return fx.files[slices.IndexFunc(fx.files, func(a *analysis.Analysis) bool { return a.Source().Name == name })]
}

// showLocations shows spans in any of the files.
func (fx *fixture) showLocations(b *strings.Builder, all []ide.Location) {
	for _, l := range all {
		a := fx.named(l.URI)
		fmt.Fprintf(b, "%s %s\n", l.URI, show(a, spanOf(a, l.Range)))
	}
}

// showChanges shows the edits of each file.
func (fx *fixture) showChanges(b *strings.Builder, edit ide.WorkspaceEdit, err error) {
	if err != nil {
		fmt.Fprintf(b, "error: %v\n", err)
	}
	for _, change := range edit.DocumentChanges {
		document := change.(ide.DocumentEdit)
		a := fx.named(document.TextDocument.URI)
		fmt.Fprintf(b, "%s\n", document.TextDocument.URI)
		for _, e := range document.Edits {
			fmt.Fprintf(b, "%s → %q\n", show(a, spanOf(a, e.Range)), e.NewText)
		}
	}
}

// showResult shows the changed lines after edits.
func (fx *fixture) showResult(b *strings.Builder, edits []text.Edit, err error) {
	if err != nil {
		fmt.Fprintf(b, "error: %v\n", err)
		return
	}
	was := fx.main().Source().Body
	now, err := text.Apply(was, edits)
	if err != nil {
		fmt.Fprintf(b, "error: %v\n", err)
		return
	}
	before, after := strings.SplitAfter(was, "\n"), strings.SplitAfter(now, "\n")
	first := 0
	for first < min(len(before), len(after)) && before[first] == after[first] {
		first++
	}
	last := 0
	for last < min(len(before), len(after))-first && before[len(before)-1-last] == after[len(after)-1-last] {
		last++
	}
	b.WriteString(strings.TrimRight(strings.Join(after[first:len(after)-last], ""), "\n") + "\n")
}

// at returns the chunk of a mark, and the mark's span in it.
func (fx *fixture) at(name string) (*analysis.Chunk, text.Span) {
	m := fx.marks[name]
	p := fx.main().ChunkAt(m.Start)
	return p, text.Span{Start: p.FromFile(m.Start), End: p.FromFile(m.End)}
}

// symbolKinds names the kinds of symbols, by LSP's numbers.
var symbolKinds = map[int]string{
	18: "cases", 5: "case", 12: "grader", 24: "turn", 17: "criterion", 22: "band", 11: "target", 7: "setting",
}

func showSymbols(fx *fixture, b *strings.Builder, all []ide.DocumentSymbol, indent string) {
	for _, y := range all {
		fmt.Fprintf(b, "%s%s %q (%s) %d-%d %s\n", indent, symbolKinds[y.Kind], y.Name, y.Detail, y.Range.Start.Line+1, y.Range.End.Line+1, show(fx.main(), spanOf(fx.main(), y.SelectionRange)))
		showSymbols(fx, b, y.Children, indent+"  ")
	}
}

// TestStructure answers the requests in testdata/structure. Each file starts with its sources,
// followed by requests and answers.
func TestStructure(t *testing.T) {
	paths, err := filepath.Glob("testdata/structure/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { checkStructure(t, path) })
	}
}

func checkStructure(t *testing.T, path string) {
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(body, []byte("-- "))
	out := string(head)
	fx := &fixture{}
	asked := 0
	for _, section := range sections(string(body)) {
		out += "-- " + section.name + " --\n"
		words := strings.Fields(section.name)
		answer := answers[words[0]]
		if answer == nil {
			plain, marks := unmarked(section.body)
			if fx.marks == nil {
				fx.marks = marks
			}
			in := analysis.Input{Path: section.name, Text: plain}
			fx.files, fx.names = append(fx.files, analysis.Of(in)), append(fx.names, section.name)
			out += section.body
			continue
		}
		asked++
		if len(words) > 1 && !slices.Contains([]string{"migrate", "find", "repoint"}, words[0]) {
			if _, known := fx.marks[words[1]]; !known {
				t.Fatalf("there is no mark %s", words[1])
			}
		}
		var b strings.Builder
		answer(fx, &b, words[1:])
		if got := b.String(); got != section.body {
			if !*update {
				t.Errorf("%s:\n%s\nwant\n%s", section.name, got, section.body)
			}
		}
		out += b.String()
	}
	if asked == 0 {
		t.Error("the file has no requests")
	}
	if *update && !slices.Equal([]byte(out), body) {
		if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
