package action

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/rewrite"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
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

// An Action is a code action that an editor can offer.
type Action struct {
	Kind           string
	Title          string
	Diagnostic     *diag.Diagnostic // what a quick fix fixes
	IsPreferred    bool             // the first of several fixes of one diagnostic
	DisabledReason string           // why the action is unavailable; "" if it is available
	ide.EditChoice
}

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
		fixed, _ := a.ApplySafeFixes()
		return text.Diff(fileText(a), fileText(fixed)), nil
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

func fileText(a *analysis.Analysis) string { return a.Slice(text.Span{End: a.Length()}) }

// Actions returns the actions for a span of a file. diagnostics must include those of the span. If
// kinds is not empty, only these kinds and their subkinds are returned. Actions on the whole file
// are returned only on request.
func Actions(a *analysis.Analysis, span text.Span, kinds []string, diagnostics []diag.Diagnostic) []Action {
	c := actionCollector{kinds: kinds}
	c.addFixes(span, diagnostics)
	c.addFixAll(a)
	c.addRefactorings(a, span.Start)
	c.addMigrations(a)
	c.addIgnores(a, span, diagnostics)
	return c.actions
}

type actionCollector struct {
	kinds   []string
	actions []Action
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

func (c *actionCollector) addFixes(span text.Span, diagnostics []diag.Diagnostic) {
	for n := range diagnostics {
		d := &diagnostics[n]
		if d.Span.Start > span.End || d.Span.End < span.Start || !c.wantsKind(QuickFix) {
			continue
		}
		for i, fix := range d.Fixes {
			c.actions = append(c.actions, Action{Kind: QuickFix, Title: fix.Title, Diagnostic: d, IsPreferred: i == 0,
				EditChoice: ide.EditChoice{Rule: d.Code, Span: d.Span, FixIndex: i}})
		}
	}
}

func (c *actionCollector) addFixAll(a *analysis.Analysis) {
	safe := func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return f.Safe })
	}
	if c.requestsKind(SourceFixAll) && slices.ContainsFunc(a.Diagnostics(), safe) {
		c.actions = append(c.actions, Action{Kind: SourceFixAll, Title: "apply all safe fixes"})
	}
}

func (c *actionCollector) addRefactorings(a *analysis.Analysis, offset int) {
	if !c.wantsKind(RefactorRewrite) && !c.wantsKind(RefactorExtract) {
		return
	}
	for _, r := range Refactorings(a, offset) {
		kind := RefactorRewrite
		if r.IsExtract {
			kind = RefactorExtract
		}
		if c.wantsKind(kind) {
			c.actions = append(c.actions, Action{Kind: kind, Title: r.Title, DisabledReason: r.DisabledReason,
				EditChoice: ide.EditChoice{Refactor: r.ID, Span: text.Span{Start: offset, End: offset}}})
		}
	}
}

func (c *actionCollector) addMigrations(a *analysis.Analysis) {
	if !c.requestsKind(SourceMigrate) || a.Role() != agentv.Eval && a.Role() != agentv.EvalV4 && a.Role() != agentv.Cases {
		return
	}
	for _, v := range []agentv.Version{agentv.Seed, agentv.V4, agentv.Head} {
		if v != cmp.Or(a.Version(), agentv.Seed) {
			c.actions = append(c.actions, Action{Kind: SourceMigrate, Title: "rename keys and types to those of AgentV " + string(v), EditChoice: ide.EditChoice{ToVersion: v}})
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
func (c *actionCollector) addIgnores(a *analysis.Analysis, span text.Span, diagnostics []diag.Diagnostic) {
	if !c.wantsKind(Suppress) {
		return
	}
	seen := map[ide.EditChoice]bool{}
	for n := range diagnostics {
		d := &diagnostics[n]
		what := ide.EditChoice{Rule: d.Code, Span: d.Span, Ignore: true}
		if d.Span.Start > span.End || d.Span.End < span.Start || seen[what] || len(seen) == maxIgnoreActions {
			continue
		}
		seen[what] = true
		if _, err := ignoreEdits(a, d.Code, d.Span); err == nil {
			c.actions = append(c.actions, Action{Kind: Suppress, Title: "ignore `" + d.Code + "` here", Diagnostic: d, EditChoice: what})
		}
	}
}

// maxIgnoreActions bounds the number of ignore actions. Verifying one takes an analysis.
const maxIgnoreActions = 20
