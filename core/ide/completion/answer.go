package completion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/text"
)

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
			for _, name := range names {
				if !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
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
