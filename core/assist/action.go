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
	// FixAll mends all that can be mended safely, which editors may be told to do
	// whenever a file is saved.
	FixAll = "source.fixAll.rubric"
	// WriteAs writes a whole file with the names of another version.
	WriteAs = "source.migrate.rubric"
	// Suppress writes a comment that hides a finding. It is no quick fix, so that no
	// editor applies it where a fix is asked for.
	Suppress = "suppress.rubric"
)

// Action is what can be done to a file, in an editor's list of such.
type Action struct {
	Kind   string
	Title  string
	Mends  *diag.Diagnostic // the finding that a quick fix is of
	First  bool             // the nearest of those that mend the same
	Reason string           // why it cannot be had; "" if it may
	Choice
}

// Choice is what an action does to a file, to be worked out when it is chosen: a
// fix of a finding or the wish not to be told of it, a refactoring at a place, the names of another version or,
// with none of these, all safe fixes.
type Choice struct {
	Rule     string    `json:"rule,omitzero"`
	Fix      int       `json:"fix,omitzero"`
	Ignore   bool      `json:"ignore,omitzero"` // the rule, instead of a fix
	Refactor string    `json:"refactor,omitzero"`
	Span     text.Span `json:"span,omitzero"`
	// Into is the version of AgentV whose names are to be written.
	Into agentv.Version `json:"into,omitzero"`
}

// ErrSpan is a choice whose place cannot be one of the text's: no action that was
// offered has it.
var ErrSpan = errors.New("the span of the action does not lie in the text")

// Edits are what was chosen, as edits of the file; an error says why there are
// none.
func (c Choice) Edits(a *analysis.Analysis) ([]text.Edit, error) {
	if c.Span.Start < 0 || c.Span.End < c.Span.Start || c.Span.End > a.Length() {
		return nil, ErrSpan
	}
	switch {
	case c.Refactor != "":
		return Refactor(a, c.Span.Start, c.Refactor)
	case c.Into != "":
		edits, _, err := Migrate(a, c.Into)
		return edits, err
	case c.Rule == "":
		fixed, _ := a.Fixed()
		return text.Between(whole(a), whole(fixed)), nil
	}
	if c.Ignore {
		return ignored(a, c.Rule, c.Span)
	}
	for _, found := range a.Within(c.Span, nil) {
		if found.Code == c.Rule && found.At() == c.Span && c.Fix >= 0 && c.Fix < len(found.Fixes) {
			return found.InFile().Fixes[c.Fix].Edits, nil
		}
	}
	return nil, errors.New("what the action mends is not there any more")
}

func whole(a *analysis.Analysis) string { return a.Slice(text.Span{End: a.Length()}) }

// Actions are what can be done in a stretch of a file, of which found has what was
// found there, and may have more. Of kinds that only names, those are asked for, and
// what is of one of them; none for any but those of the whole file.
func Actions(a *analysis.Analysis, span text.Span, only []string, found []diag.Diagnostic) []Action {
	o := offering{only: only}
	o.fixes(span, found)
	o.fixAll(a)
	o.refactorings(a, span.Start)
	o.migrations(a)
	o.ignores(a, span, found)
	return o.all
}

// offering is what is offered for one question.
type offering struct {
	only []string
	all  []Action
}

// wants reports whether a kind is asked for.
func (o *offering) wants(kind string) bool { return len(o.only) == 0 || o.names(kind) }

// names reports whether a kind is asked for in particular: those of a whole file
// are, since otherwise editors mean the place.
func (o *offering) names(kind string) bool {
	return slices.ContainsFunc(o.only, func(k string) bool { return k == "" || k == kind || strings.HasPrefix(kind, k+".") })
}

// fixes offers what mends findings in a stretch.
func (o *offering) fixes(span text.Span, all []diag.Diagnostic) {
	for n := range all {
		found := &all[n]
		if found.Span.Start > span.End || found.Span.End < span.Start || !o.wants(QuickFix) {
			continue
		}
		for i, fix := range found.Fixes {
			o.all = append(o.all, Action{Kind: QuickFix, Title: fix.Title, Mends: found, First: i == 0,
				Choice: Choice{Rule: found.Code, Span: found.Span, Fix: i}})
		}
	}
}

// fixAll offers to mend all that can be mended safely.
func (o *offering) fixAll(a *analysis.Analysis) {
	safe := func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return f.Safe })
	}
	if o.names(FixAll) && slices.ContainsFunc(a.Diagnostics(), safe) {
		o.all = append(o.all, Action{Kind: FixAll, Title: "fix all that can be fixed safely"})
	}
}

// refactorings offers other ways to write what stands at a place.
func (o *offering) refactorings(a *analysis.Analysis, offset int) {
	if !o.wants(RefactorRewrite) && !o.wants(RefactorExtract) {
		return
	}
	for _, r := range Refactorings(a, offset) {
		kind := RefactorRewrite
		if r.Extract {
			kind = RefactorExtract
		}
		if o.wants(kind) {
			o.all = append(o.all, Action{Kind: kind, Title: r.Title, Reason: r.Reason,
				Choice: Choice{Refactor: r.ID, Span: text.Span{Start: offset, End: offset}}})
		}
	}
}

// migrations offers to write the file with the names of other versions.
func (o *offering) migrations(a *analysis.Analysis) {
	if !o.names(WriteAs) || a.Role() != agentv.Eval && a.Role() != agentv.Later && a.Role() != agentv.Cases {
		return
	}
	for _, v := range []agentv.Version{agentv.Seed, agentv.Stable, agentv.Head} {
		if v != cmp.Or(a.Version(), agentv.Seed) {
			o.all = append(o.all, Action{Kind: WriteAs, Title: "write it with the names of AgentV " + string(v), Choice: Choice{Into: v}})
		}
	}
}
