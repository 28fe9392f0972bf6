package assist

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
)

// The kinds of actions, by the protocol's names.
const (
	QuickFix        = "quickfix"
	RefactorRewrite = "refactor.rewrite"
	RefactorExtract = "refactor.extract"
	// SourceFixAll mends all that can be mended safely, which editors may be told to do
	// whenever a file is saved.
	SourceFixAll = "source.fixAll.rubric"
	// SourceMigrate writes a whole file with the names of another version.
	SourceMigrate = "source.migrate.rubric"
	// Suppress writes a comment that hides a finding. It is no quick fix, so that no
	// editor applies it where a fix is asked for.
	Suppress = "suppress.rubric"
)

// Action is what can be done to a file, in an editor's list of such.
type Action struct {
	Kind           string
	Title          string
	Diagnostic     *diag.Diagnostic // the finding that a quick fix is of
	IsPreferred    bool             // the nearest of those that mend the same
	DisabledReason string           // why it cannot be had; "" if it may
	ActionData
}

// ActionData is what an action does to a file, to be worked out when it is chosen: a
// fix of a finding or the wish not to be told of it, a refactoring at a place, the names of another version or,
// with none of these, all safe fixes.
type ActionData struct {
	Rule     string    `json:"rule,omitzero"`
	FixIndex int       `json:"fix,omitzero"`
	Ignore   bool      `json:"ignore,omitzero"` // the rule, instead of a fix
	Refactor string    `json:"refactor,omitzero"`
	Span     text.Span `json:"span,omitzero"`
	// ToVersion is the version of AgentV whose names are to be written.
	ToVersion agentv.Version `json:"into,omitzero"`
}

// ErrSpan is a choice whose place cannot be one of the text's: no action that was
// offered has it.
var ErrSpan = errors.New("the span of the action does not lie in the text")

// Edits are what was chosen, as edits of the file; an error says why there are
// none.
func (c ActionData) Edits(a *analysis.Analysis) ([]text.Edit, error) {
	if c.Span.Start < 0 || c.Span.End < c.Span.Start || c.Span.End > a.Length() {
		return nil, ErrSpan
	}
	switch {
	case c.Refactor != "":
		return Refactor(a, c.Span.Start, c.Refactor)
	case c.ToVersion != "":
		edits, _, err := Migrate(a, c.ToVersion)
		return edits, err
	case c.Rule == "":
		fixed, _ := a.ApplySafeFixes()
		return text.Diff(fileText(a), fileText(fixed)), nil
	}
	if c.Ignore {
		return ignoreEdits(a, c.Rule, c.Span)
	}
	for _, found := range a.FindingsIn(c.Span, nil) {
		if found.Code == c.Rule && found.SpanInFile() == c.Span && c.FixIndex >= 0 && c.FixIndex < len(found.Fixes) {
			return found.DiagnosticInFile().Fixes[c.FixIndex].Edits, nil
		}
	}
	return nil, errors.New("what the action mends is not there any more")
}

func fileText(a *analysis.Analysis) string { return a.Slice(text.Span{End: a.Length()}) }

// Actions are what can be done in a stretch of a file, of which found has what was
// found there, and may have more. Of kinds that only names, those are asked for, and
// what is of one of them; none for any but those of the whole file.
func Actions(a *analysis.Analysis, span text.Span, kinds []string, diagnostics []diag.Diagnostic) []Action {
	c := actionCollector{kinds: kinds}
	c.addFixes(span, diagnostics)
	c.addFixAll(a)
	c.addRefactorings(a, span.Start)
	c.addMigrations(a)
	c.addIgnores(a, span, diagnostics)
	return c.actions
}

// actionCollector is what is offered for one question.
type actionCollector struct {
	kinds   []string
	actions []Action
}

// wantsKind reports whether a kind is asked for.
func (c *actionCollector) wantsKind(kind string) bool {
	return len(c.kinds) == 0 || c.requestsKind(kind)
}

// requestsKind reports whether a kind is asked for in particular: those of a whole file
// are, since otherwise editors mean the place.
func (c *actionCollector) requestsKind(kind string) bool {
	return slices.ContainsFunc(c.kinds, func(k string) bool { return k == "" || k == kind || strings.HasPrefix(kind, k+".") })
}

// addFixes offers what mends findings in a stretch.
func (c *actionCollector) addFixes(span text.Span, diagnostics []diag.Diagnostic) {
	for n := range diagnostics {
		d := &diagnostics[n]
		if d.Span.Start > span.End || d.Span.End < span.Start || !c.wantsKind(QuickFix) {
			continue
		}
		for i, fix := range d.Fixes {
			c.actions = append(c.actions, Action{Kind: QuickFix, Title: fix.Title, Diagnostic: d, IsPreferred: i == 0,
				ActionData: ActionData{Rule: d.Code, Span: d.Span, FixIndex: i}})
		}
	}
}

// addFixAll offers to mend all that can be mended safely.
func (c *actionCollector) addFixAll(a *analysis.Analysis) {
	safe := func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return f.Safe })
	}
	if c.requestsKind(SourceFixAll) && slices.ContainsFunc(a.Diagnostics(), safe) {
		c.actions = append(c.actions, Action{Kind: SourceFixAll, Title: "fix all that can be fixed safely"})
	}
}

// addRefactorings offers other ways to write what stands at a place.
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
				ActionData: ActionData{Refactor: r.ID, Span: text.Span{Start: offset, End: offset}}})
		}
	}
}

// addMigrations offers to write the file with the names of other versions.
func (c *actionCollector) addMigrations(a *analysis.Analysis) {
	if !c.requestsKind(SourceMigrate) || a.Role() != agentv.Eval && a.Role() != agentv.NewerEval && a.Role() != agentv.Cases {
		return
	}
	for _, v := range []agentv.Version{agentv.Seed, agentv.Stable, agentv.Head} {
		if v != cmp.Or(a.Version(), agentv.Seed) {
			c.actions = append(c.actions, Action{Kind: SourceMigrate, Title: "write it with the names of AgentV " + string(v), ActionData: ActionData{ToVersion: v}})
		}
	}
}
