package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
)

// fixAllKind is the kind of the action that mends all that can be mended
// safely, which editors may be told to take whenever a file is saved.
const fixAllKind = protocol.CodeActionKindSourceFixAll + ".rubric"

// migrateKind is the kind of the actions that write a whole file with the names
// of another version.
const migrateKind protocol.CodeActionKind = "source.migrate.rubric"

func offerActions(o *protocol.ServerCapabilities, c *client) {
	if !c.actionLiterals { // one this old may not be sent options
		o.CodeActionProvider = protocol.Boolean(true)
		return
	}
	o.CodeActionProvider = &protocol.CodeActionOptions{
		CodeActionKinds: []protocol.CodeActionKind{
			protocol.CodeActionKindQuickFix, fixAllKind, migrateKind, generateKind,
			protocol.CodeActionKindRefactorRewrite, protocol.CodeActionKindRefactorExtract,
		},
		ResolveProvider: &c.lazyEdits,
	}
}

// codeAction answers what can be done in a range.
func codeAction(_ context.Context, at *Snapshot, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return []protocol.CommandOrCodeAction{}, nil
	}
	offer := &offering{at: at, d: d, only: p.Context.Only, span: d.Span(fromRange(p.Range), at.client.encoding), all: []protocol.CommandOrCodeAction{}}
	offer.fixes()
	offer.refactorings()
	offer.migrations()
	if a := at.generation(d, offer.span); a != nil && wanted(offer.only, generateKind) {
		offer.all = append(offer.all, a)
	}
	return offer.all, nil
}

// offering is what is offered for one question.
type offering struct {
	at   *Snapshot
	d    *Document
	only []protocol.CodeActionKind // the kinds that are asked for; none for any
	span text.Span
	all  []protocol.CommandOrCodeAction
}

// add offers an action, with its edit where the client would not ask for that.
func (o *offering) add(a *protocol.CodeAction, kind protocol.CodeActionKind, what choice) {
	a.Kind = &kind
	what.URI, what.Version = o.d.URI, o.d.Version
	switch encoded, err := (codec{}).Marshal(what); {
	case a.Disabled.Reason != "":
	case o.at.client.lazyEdits && err == nil:
		a.Data = encoded
	default:
		edits, err := what.edits(o.d)
		if err != nil {
			return // it cannot be had after all
		}
		a.Edit = o.at.toWorkspaceEdit(o.d, edits)
	}
	o.all = append(o.all, a)
}

// fixes offers what mends findings in the range and, if it is asked for, all
// that can be mended safely: asked for nothing in particular, editors mean the
// place and not the whole file.
func (o *offering) fixes() {
	anything := false
	for _, found := range o.at.findings(o.d) {
		anything = anything || slices.ContainsFunc(found.Fixes, func(f diag.Fix) bool { return f.Safe })
		if found.Span.Start > o.span.End || found.Span.End < o.span.Start || !wanted(o.only, protocol.CodeActionKindQuickFix) {
			continue
		}
		for i, fix := range found.Fixes {
			a := &protocol.CodeAction{Title: fix.Title, Diagnostics: []protocol.Diagnostic{o.at.client.toDiagnostic(o.d.URI, o.d.Analysis, found)}}
			if o.at.client.preferred && i == 0 { // the nearest is first
				a.IsPreferred = new(true)
			}
			o.add(a, protocol.CodeActionKindQuickFix, choice{Rule: found.Code, Span: found.Span, Fix: i})
		}
	}
	if anything && len(o.only) > 0 && wanted(o.only, fixAllKind) {
		o.add(&protocol.CodeAction{Title: "fix all that can be fixed safely"}, fixAllKind, choice{})
	}
}

// refactorings offers other ways to write what the range begins with. Those that
// cannot be had are shown with the reason to clients that can do so.
func (o *offering) refactorings() {
	if !wanted(o.only, protocol.CodeActionKindRefactorRewrite) && !wanted(o.only, protocol.CodeActionKindRefactorExtract) {
		return
	}
	for _, r := range assist.Refactorings(o.d.Analysis, o.span.Start) {
		kind := protocol.CodeActionKindRefactorRewrite
		if r.Extract {
			kind = protocol.CodeActionKindRefactorExtract
		}
		a := &protocol.CodeAction{Title: r.Title, Disabled: protocol.CodeActionDisabled{Reason: r.Reason}}
		if wanted(o.only, kind) && (r.Reason == "" || o.at.client.disabled) {
			o.add(a, kind, choice{Refactor: r.ID, Span: text.Span{Start: o.span.Start, End: o.span.Start}})
		}
	}
}

// migrations offers to write the file with the names of other versions, if that
// is asked for.
func (o *offering) migrations() {
	if len(o.only) == 0 || !wanted(o.only, migrateKind) || o.d.Role() != agentv.Eval && o.d.Role() != agentv.Later && o.d.Role() != agentv.Cases {
		return
	}
	for _, v := range []agentv.Version{agentv.Seed, agentv.Stable, agentv.Head} {
		if v != cmp.Or(o.d.Analysis.Version(), agentv.Seed) {
			o.add(&protocol.CodeAction{Title: "write it with the names of AgentV " + string(v)}, migrateKind, choice{Into: v})
		}
	}
}

// wanted reports whether a kind is among those asked for: itself, one that it is
// of, or any.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}
