// Package action offers code actions: fixes, refactorings, renames of keys to those of other versions, and
// comments that ignore a rule. Edits are verified before they are offered or applied.
package action

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/analysis/rewrite"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// Kinds of code actions, as in LSP.
const (
	QuickFix        = "quickfix"
	RefactorRewrite = "refactor.rewrite"
	RefactorExtract = "refactor.extract"
	// SourceFixAll applies all safe fixes. Editors can be configured to do that on save.
	SourceFixAll = "source.fixAll.rubric"
	// SourceMigrate renames the keys and types of a file to those of another version.
	SourceMigrate = "source.migrate.rubric"
	// Suppress writes a comment that hides a diagnostic. It is not a quick fix, so that
	// editors never apply it as one.
	Suppress = "suppress.rubric"
)

// Kinds lists the kinds of actions.
var Kinds = []string{QuickFix, SourceFixAll, SourceMigrate, RefactorRewrite, RefactorExtract, Suppress}

// Edits returns the edits of an action in spans of the file. An error says why there are none.
func Edits(a *analysis.Analysis, d ide.EditChoice) ([]text.Edit, error) {
	if d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > a.Length() {
		return nil, &ide.Error{Code: ide.BadParams, Message: "the span of the action is outside the text"}
	}
	switch {
	case d.Refactor != "":
		return Refactor(a, d.Span.Start, d.Refactor)
	case d.ToVersion != "":
		edits, _, err := Migrate(a, d.ToVersion)
		return edits, err
	case d.Rule == "":
		fixed, _ := a.ApplyFixes(false)
		return text.Diff(a.Body(), fixed.Body()), nil
	}
	if d.Ignore {
		return ignoreEdits(a, d.Rule, d.Span)
	}
	for _, f := range a.DiagnosticsIn(d.Span, nil) {
		if f.Code == d.Rule && f.Span == d.Span && d.FixIndex >= 0 && d.FixIndex < len(f.Fixes) {
			return f.Fixes[d.FixIndex].Edits, nil
		}
	}
	return nil, errors.New("the finding that this action fixes is no longer there")
}

// InRange returns the actions for a span of a file: ours, those of the host, and comments that
// ignore rules. If kinds is not empty, only these kinds and their subkinds are returned. Actions on the
// whole file are returned only on request.
func InRange(f *ide.File, span text.Span, kinds []string) []ide.CodeAction {
	c := &actionCollector{file: f, kinds: kinds, actions: []ide.CodeAction{}}
	place := span
	if span.Start == span.End {
		place = lineAt(f.Analysis, span.Start)
	}
	diagnostics := slices.DeleteFunc(slices.Clone(f.Host.DiagnosticsIn(place)), func(d diag.Diagnostic) bool { return !d.Span.Meets(place) })
	generic.SortStable(diagnostics, func(a, b diag.Diagnostic) int { return distance(a.Span, span.Start) - distance(b.Span, span.Start) })
	c.addFixes(diagnostics)
	c.addFixAll()
	c.addRefactorings(span.Start)
	c.addMigrations()
	if f.Host.MoreActions != nil {
		for _, a := range f.Host.MoreActions(span) {
			if c.wantsKind(a.Kind) {
				c.actions = append(c.actions, a)
			}
		}
	}
	c.addIgnores(diagnostics)
	return c.actions
}

// maxLineLength is the length in bytes of a line from which on a cursor is about its own place only.
const maxLineLength = 500

// lineAt returns the line that a cursor is about: editors ask with a cursor anywhere in a line that has an error.
func lineAt(a *analysis.Analysis, cursor int) text.Span {
	chunk := a.ChunkAt(cursor)
	line := chunk.ToFile(chunk.Source.LineSpan(chunk.Source.OffsetLine(chunk.FromFile(cursor))))
	if line.Len() > maxLineLength {
		return text.Span{Start: cursor, End: cursor}
	}
	return line
}

// distance returns how far a cursor is from a span, in bytes.
func distance(span text.Span, cursor int) int {
	return max(span.Start-cursor, cursor-span.End, 0)
}

type actionCollector struct {
	file    *ide.File
	kinds   []string
	actions []ide.CodeAction
}

// add adds an available action, with its edit if the client does not resolve edits. It leaves out an
// action whose edit fails. About is what a quick fix fixes, or nil.
func (c *actionCollector) add(out ide.CodeAction, about *diag.Diagnostic, choice ide.EditChoice) {
	f := c.file
	if about != nil {
		out.Diagnostics = []ide.Finding{diagnostic.New(f, *about, diagnostic.Underlined(f, about.Span))}
	}
	if f.Client.CanResolveEdits {
		out.Data = NewData(f)
		out.Data.EditChoice = choice
	} else {
		edits, err := Edits(f.Analysis, choice)
		if err != nil {
			return
		}
		out.Edit = workspaceEdit(f, choice, edits)
	}
	c.actions = append(c.actions, out)
}

// wantsKind reports whether a kind may be returned.
func (c *actionCollector) wantsKind(kind string) bool {
	return len(c.kinds) == 0 || c.requestsKind(kind)
}

// requestsKind reports whether a kind was requested by name. Actions on the whole file need that,
// because editors otherwise ask about a place.
func (c *actionCollector) requestsKind(kind string) bool {
	return slices.ContainsFunc(c.kinds, func(k string) bool { return k == "" || k == kind || strings.HasPrefix(kind, k+".") })
}

func (c *actionCollector) addFixes(diagnostics []diag.Diagnostic) {
	if !c.wantsKind(QuickFix) {
		return
	}
	for n := range diagnostics {
		d := &diagnostics[n]
		for i, fix := range d.Fixes {
			c.add(ide.CodeAction{Kind: QuickFix, Title: fix.Title, IsPreferred: i == 0 && c.file.Client.HasPreferredActions}, d,
				ide.EditChoice{Rule: d.Code, Span: d.Span, FixIndex: i})
		}
	}
}

func (c *actionCollector) addFixAll() {
	safe := func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return f.Safe })
	}
	if c.requestsKind(SourceFixAll) && slices.ContainsFunc(c.file.Diagnostics(), safe) {
		c.add(ide.CodeAction{Kind: SourceFixAll, Title: "apply all safe fixes"}, nil, ide.EditChoice{})
	}
}

func (c *actionCollector) addRefactorings(offset int) {
	if !c.wantsKind(RefactorRewrite) && !c.wantsKind(RefactorExtract) {
		return
	}
	for _, r := range Refactorings(c.file.Analysis, offset) {
		kind := RefactorRewrite
		if r.IsExtract {
			kind = RefactorExtract
		}
		switch out := (ide.CodeAction{Kind: kind, Title: r.Title}); {
		case !c.wantsKind(kind):
		case r.DisabledReason == "":
			c.add(out, nil, ide.EditChoice{Refactor: r.ID, Span: text.Span{Start: offset, End: offset}})
		case c.file.Client.HasDisabledActions:
			out.Disabled = &ide.Disabled{Reason: r.DisabledReason}
			c.actions = append(c.actions, out)
		}
	}
}

func (c *actionCollector) addMigrations() {
	a := c.file.Analysis
	if !c.requestsKind(SourceMigrate) || a.Role() != agentv.Eval && a.Role() != agentv.EvalV4 && a.Role() != agentv.Cases {
		return
	}
	for _, v := range []agentv.Version{agentv.Seed, agentv.V4, agentv.Head} {
		if v != cmp.Or(a.Version(), agentv.Seed) {
			c.add(ide.CodeAction{Kind: SourceMigrate, Title: "rename keys and types to those of AgentV " + string(v)}, nil, ide.EditChoice{ToVersion: v})
		}
	}
}

// ReasonPlaceholder is the reason in a new ignore comment. The user replaces it.
const ReasonPlaceholder = "reason"

var errCannotIgnore = errors.New("no comment can be placed before this line")

// ignoreEdits returns the edit that inserts an ignore comment for a rule on the line before a
// diagnostic. It returns an error if the comment would change the file's content or cause
// diagnostics.
func ignoreEdits(a *analysis.Analysis, rule string, diagnostic text.Span) ([]text.Edit, error) {
	chunk := a.ChunkAt(diagnostic.Start)
	local := chunk.FromFile(diagnostic.Start)
	line := chunk.Source.LineSpan(chunk.Source.OffsetLine(local))
	lineText := chunk.Source.Slice(line)
	indent := lineText[:len(lineText)-len(strings.TrimLeft(lineText, " \t"))]
	comment := indent + "# rubric: ignore " + rule + " -- " + ReasonPlaceholder + syntax.StyleOf(chunk).Newline
	at := chunk.ToFile(text.Span{Start: line.Start, End: line.Start}).Start
	edits := []text.Edit{{Span: text.Span{Start: at, End: at}, New: comment}}
	next := rewrite.ApplyEdits(a, edits)
	moved := diagnostic.Shift(len(comment))
	if !rewrite.SameContent(chunk.Tree, next.ChunkAt(moved.Start).Tree) || !onlyRemoves(a.DiagnosticsIn(diagnostic, nil), next.DiagnosticsIn(moved, nil), rule) {
		return nil, errCannotIgnore
	}
	return edits, nil
}

// onlyRemoves reports whether all diagnostics of a rule are gone and no new ones were added.
func onlyRemoves(before, after []diag.Diagnostic, rule string) bool {
	count := map[string]int{}
	for _, f := range before {
		count[f.Code]++
	}
	for _, f := range after {
		if count[f.Code]--; f.Code == rule || count[f.Code] < 0 {
			return false
		}
	}
	return true
}

// addIgnores adds comments that ignore diagnostics, after all other actions.
func (c *actionCollector) addIgnores(diagnostics []diag.Diagnostic) {
	if !c.wantsKind(Suppress) {
		return
	}
	seen := map[ide.EditChoice]bool{}
	for n := range diagnostics {
		d := &diagnostics[n]
		what := ide.EditChoice{Rule: d.Code, Span: d.Span, Ignore: true}
		rule := lint.Find(d.Code)
		if seen[what] || len(seen) == maxIgnoreActions || rule != nil && rule.Unreadable {
			continue
		}
		seen[what] = true
		if _, err := ignoreEdits(c.file.Analysis, d.Code, d.Span); err == nil {
			c.add(ide.CodeAction{Kind: Suppress, Title: "ignore `" + d.Code + "` here"}, d, what)
		}
	}
}

// maxIgnoreActions bounds the number of ignore actions. Verifying one takes an analysis.
const maxIgnoreActions = 20

// NewData returns data for an action on this version of a file.
func NewData(f *ide.File) *ide.ActionData {
	return &ide.ActionData{URI: f.URI, Version: generic.OrZero(f.Version)}
}

// workspaceEdit returns the edit of an action. If the client supports snippets, the reason of an
// ignore comment becomes a placeholder.
func workspaceEdit(f *ide.File, choice ide.EditChoice, edits []text.Edit) *ide.WorkspaceEdit {
	edit := &ide.WorkspaceEdit{}
	if choice.Ignore && f.Client.HasSnippetEdits && f.Client.HasDocumentChanges && len(edits) == 1 {
		reason := strings.LastIndex(edits[0].New, ReasonPlaceholder)
		f.AddSnippet(edit, edits[0], text.Span{Start: reason, End: reason + len(ReasonPlaceholder)})
	} else {
		f.AddEdits(edit, edits)
	}
	return edit
}

// Resolve returns the edit of a chosen action, and a note for the user or "". It refuses an action
// of an earlier version of the file, because its spans are out of date.
func Resolve(f *ide.File, data ide.ActionData) (edit *ide.WorkspaceEdit, note string, err error) {
	if f == nil || NewData(f).Version != data.Version {
		return nil, "", &ide.Error{Code: ide.Changed, Message: "the document has changed since the action was offered"}
	}
	if data.Convert != "" && f.Host.Convert != nil {
		if edit, err = f.Host.Convert(data.Convert); err != nil {
			return nil, "", ide.Refuse(err)
		}
		return edit, "", nil
	}
	edits, err := Edits(f.Analysis, data.EditChoice)
	if fault := (*ide.Error)(nil); err != nil && !errors.As(err, &fault) {
		err = ide.Refuse(err)
	}
	if err != nil {
		return nil, "", err
	}
	if data.ToVersion != "" {
		note = ManualChangesNote(f.Analysis, data.ToVersion)
	}
	return workspaceEdit(f, data.EditChoice, edits), note, nil
}
