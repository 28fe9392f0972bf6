// Package completion proposes keys, values, names and paths for the text at the cursor.
package completion

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/fielddoc"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// CompletionKind is the kind of a completion item.
type CompletionKind uint8

// Completion kinds, with the numbers of the closest LSP CompletionItemKind.
const (
	VariableItem CompletionKind = 6
	KeyItem      CompletionKind = 10 // a property
	SnippetItem  CompletionKind = 15
	FileItem     CompletionKind = 17
	NameItem     CompletionKind = 18 // a reference: the name of a case, a target, a tool or an anchor
	FolderItem   CompletionKind = 19
	ValueItem    CompletionKind = 20 // a member of an enumeration
	RuleItem     CompletionKind = 21 // a constant
)

// A CompletionItem is a proposal for the text at the cursor.
type CompletionItem struct {
	Label  string
	Kind   CompletionKind
	Detail string // a few words
	DocKey string // argument of [ResolveDoc]; "" without documentation
	Edit   text.Edit
	// Stops are the placeholders in Edit.New, in tab order; see
	// [ide.SnippetText]. Edit.New is already indented.
	Stops []text.Span
	// Filter is the text to match what is typed against; "" means the label.
	Filter    string
	Retrigger bool // request completion again after inserting
}

// CompletionTriggers are the characters after which completion is useful.
var CompletionTriggers = [...]string{":", " ", "-", "{", "/", "*", "\"", "."}

// maxCompletionItems bounds the number of items. A list that reaches it is incomplete.
const maxCompletionItems = 200

// typedPrefix returns the word up to the cursor.
func (c cursor) typedPrefix() string {
	return c.body[c.word.Start:max(min(c.offset, c.word.End), c.word.Start)]
}

// inProse reports whether the word looks like free text, not like a key. Keys have no spaces and, in
// block style, no quotes.
func (c cursor) inProse() bool {
	typed := c.typedPrefix()
	return !c.isValue && !c.hasColon && (strings.Contains(typed, " ") || c.brackets == nil && strings.IndexAny(typed, `"'`) == 0)
}

// completer builds the items of one completion.
type completer struct {
	cursor
	probe
	syntax.Style
	host  Host
	items []CompletionItem
}

// addItem adds an item that replaces the typed word by words.
func (c *completer) addItem(item CompletionItem, words string, stops []text.Span) {
	lead := ""
	span := c.word
	switch {
	case c.needsSpace:
		lead = " "
	case c.aloneOnLine && !c.isValue:
		span.Start = c.line.Start
		lead = strings.Repeat(" ", c.probe.column)
		if c.needsDash {
			lead = lead[len("- "):] + "- "
		}
		if typed := c.body[span.Start:c.word.Start]; strings.HasPrefix(lead, typed) {
			span.Start, lead = c.word.Start, lead[len(typed):]
		} else {
			item.Filter = typed + item.Label
		}
	}
	if typed := c.typedPrefix(); typed != "" && (typed[0] == '"' || typed[0] == '\'') {
		item.Filter = typed[:1] + item.Label
	}
	item.Edit = text.Edit{Span: span, New: lead + words + c.separatorAfter()}
	for _, s := range stops {
		item.Stops = append(item.Stops, s.Shift(len(lead)))
	}
	c.items = append(c.items, item)
}

func (c *completer) newSnippet() *snippetWriter {
	return &snippetWriter{Style: c.Style, flow: c.brackets != nil}
}

// Host supplies what completion cannot find in the chunk. All fields are optional.
type Host struct {
	Targets  []string        // names of the systems under test
	CaseIDs  func() []string // case ids of the file
	VarNames func() []string // variables that the file's cases declare
	// ReadDir lists a directory given relative to the file; nil if unavailable.
	ReadDir func(path string) []ide.DirEntry
}

func callNames(names func() []string) []string {
	if names == nil {
		return nil
	}
	return names()
}

// ignoreDirective starts a comment that ignores rules.
const ignoreDirective = "rubric: ignore"

// completeIgnoreComment proposes the ignore directive, or rules after it.
func completeIgnoreComment(p *analysis.Chunk, c yaml.Comment, offset int) (items []CompletionItem) {
	typed := p.Source.Body[c.Span.Start:offset]
	if begun := strings.TrimLeft(typed, "# "); strings.HasPrefix(ignoreDirective, begun) && offset == c.Span.End {
		span := text.Span{Start: offset - len(begun), End: offset}
		return []CompletionItem{{Label: ignoreDirective, Kind: SnippetItem, Detail: "do not report these rules on this line or the next", Edit: text.Edit{Span: span, New: ignoreDirective + " "}, Retrigger: true}}
	}
	if !fielddoc.IgnorePattern().MatchString(typed) || strings.Contains(typed, "--") {
		return nil
	}
	start := strings.LastIndexAny(typed, " ,\t") + 1
	word := text.Span{Start: c.Span.Start + start, End: offset}
	for word.End < c.Span.End && strings.IndexByte(" ,\t", p.Source.Body[word.End]) < 0 {
		word.End++
	}
	for _, rule := range lint.All() {
		items = append(items, CompletionItem{
			Label: rule.ID, Kind: RuleItem, Detail: rule.Summary, DocKey: fielddoc.RuleDocPrefix + "\n" + rule.ID, Edit: text.Edit{Span: word, New: rule.ID},
		})
	}
	return items
}

// At returns the completions at an offset.
func At(f *ide.File, offset int) ide.CompletionList {
	chunk := f.ChunkAt(offset)
	items := Complete(chunk, chunk.FromFile(offset), newHost(f, offset))
	list := ide.CompletionList{IsIncomplete: len(items) >= maxCompletionItems, Items: []ide.CompletionItem{}}
	for n, item := range items {
		item.Edit.Span = chunk.ToFile(item.Edit.Span)
		list.Items = append(list.Items, item.answer(f, n))
	}
	return list
}

// newHost returns what completion needs from the rest of the file and from the host.
func newHost(f *ide.File, offset int) Host {
	h := Host{Targets: f.Host.Targets, CaseIDs: f.Host.CaseIDs, ReadDir: f.Host.ReadDir}
	if h.CaseIDs == nil {
		h.CaseIDs = f.ListCaseIDs
	}
	h.VarNames = func() (all []string) {
		for _, names := range varsCache.EachIn(f.Analysis, text.Span{Start: offset - varScanWindow, End: offset + varScanWindow}, false) {
			all = generic.AppendNew(all, names...)
		}
		return all
	}
	return h
}

// answer converts the nth item of a list. Its spans are those of the file.
func (i CompletionItem) answer(f *ide.File, n int) ide.CompletionItem {
	out := ide.CompletionItem{
		Label: i.Label, Kind: int(i.Kind), Detail: i.Detail, FilterText: i.Filter,
		SortText: fmt.Sprintf("%04d", n), // keeps the given order
	}
	edit := i.Plain()
	if len(i.Stops) > 0 && f.Client.HasSnippets {
		out.InsertTextFormat, edit.New = 2, ide.SnippetText(i.Edit.New, i.Stops)
	}
	if f.Client.HasAsIsInsertion {
		out.InsertTextMode = 1
	}
	out.TextEdit = &ide.TextEdit{Range: f.SpanRange(edit.Span), NewText: edit.New}
	if i.Retrigger && f.Client.CanRetrigger {
		out.Command = &ide.Command{Title: "complete again", Command: "editor.action.triggerSuggest"}
	}
	if i.DocKey != "" {
		out.Data = &ide.Topic{URI: f.URI, Topic: i.DocKey}
	}
	return out
}

// Documentation returns the documentation of an item, or nil.
func Documentation(f *ide.File, topic string) *ide.MarkupContent {
	if page := ResolveDoc(f.ChunkAt(0).Table, topic); page != "" {
		return f.Client.Markup(page)
	}
	return nil
}

// Plain returns the edit for clients without snippets: the placeholders are empty.
func (i CompletionItem) Plain() text.Edit {
	words, at := "", 0
	for _, s := range i.Stops {
		words += i.Edit.New[at:s.Start]
		at = s.End
	}
	return text.Edit{Span: i.Edit.Span, New: words + i.Edit.New[at:]}
}

// Complete returns the proposals for an offset, most likely first. Their edits replace what is typed
// already. The editor filters them, unless there are more than maxCompletionItems.
func Complete(p *analysis.Chunk, offset int, host Host) []CompletionItem {
	items := completionItems(p, offset, host)
	return items[:min(len(items), maxCompletionItems)]
}

func completionItems(p *analysis.Chunk, offset int, host Host) []CompletionItem {
	// Between CR and LF there is no cursor: the line ends before both.
	offset = min(offset, p.Source.LineSpan(p.Source.OffsetLine(offset)).End)
	for _, comment := range p.Tree.Comments {
		if comment.Span.Start < offset && offset <= comment.Span.End {
			return completeIgnoreComment(p, comment, offset)
		}
	}
	if items, inside := completeVariable(p, offset, host); inside {
		return items
	}
	if items, inside := completePlaceholder(p, offset); inside {
		return items
	}
	cur, ok := readCursor(p, offset)
	if !ok {
		return nil
	}
	c := completer{cursor: cur, host: host, Style: syntax.StyleOf(p)}
	if strings.HasPrefix(cur.typedPrefix(), "*") {
		c.addAliases(p)
		return c.items
	}
	if cur.inProse() {
		return nil
	}
	if c.addFileKeys(p); c.items != nil && cur.column < caseListColumn(p) {
		return c.items
	}
	if c.probe, ok = cur.findProbe(p); !ok {
		return c.items
	}
	if cur.brackets != nil {
		c.Json = p.ADK != nil && p.ADK.JSON || syntax.HasQuotedKeys(c.node)
	}
	if c.isKey {
		c.addKeys()
	} else {
		c.addValues(syntax.ContextOf(c.chunk, c.node), c.node)
	}
	return c.items
}
