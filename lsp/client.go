package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/text"
)

// client is the client of a session: what it said of itself, read once, and how
// to reach it.
type client struct {
	peer
	encoding     text.Encoding
	encodingName protocol.PositionEncodingKind // "" to a client that does not know there are several
	trusted      bool                          // whether programs may be run and models asked, on request

	pull               bool // asks for diagnostics; then none are pushed
	refreshDiagnostics bool
	configuration      bool
	watchFiles         bool // takes registrations for files that change
	watchConfiguration bool
	related            bool // shows second places of diagnostics
	tags               []protocol.DiagnosticTag
	createsFiles       bool // makes new files
	documentChanges    bool // takes edits with the version they are for
	actionLiterals     bool
	lazyEdits          bool // asks for an action's edit when it is chosen
	preferred          bool // shows which action is the best
	disabled           bool // shows actions that cannot be had
	plain              bool // draws no Markdown
	snippets           bool // goes through the places of a completion that are left to fill in
	asIs               bool // leaves the indentation of a completion alone, if told
	retriggers         bool // knows the command by which VS Code completes again
	outlines           bool // shows symbols as a tree
	preparesRename     bool
	mostFolds          int  // 0 for any number
	progresses         bool // shows how far long work is
	refreshLenses      bool
	refreshHints       bool
	appliesEdits       bool // makes edits that it did not ask for
	annotates          bool // shows what an edit is for before it is made
	fillsIn            bool // goes through the places of an edit that are left to fill in
	asks               bool // lets its own model be asked
	keys               bool // keeps keys of providers
}

// options are the initialization options.
type options struct {
	Trusted *bool  `json:"trusted"`
	Token   string `json:"token"`
}

// experimental are the capabilities that are ours alone.
type experimental struct {
	Rubric struct {
		Ask  bool `json:"ask"`
		Keys bool `json:"keys"`
	} `json:"rubric"`
}

// meet reads what a client says of itself; trusted holds unless the client says
// otherwise. Capabilities come in nested optional parts, each of which may be missing.
func meet(p *protocol.InitializeParams, reach peer, trusted bool) *client {
	c := &client{peer: reach, trusted: trusted}
	var o options
	switch fault := len(p.InitializationOptions) > 0 && protocol.Unmarshal(p.InitializationOptions, &o) != nil; {
	case fault:
		c.trusted = false // what the client says cannot be read, which may be a no
	case o.Trusted != nil:
		c.trusted = *o.Trusted
	}
	general, doc, space := part(p.Capabilities.General), part(p.Capabilities.TextDocument), part(p.Capabilities.Workspace)
	c.encoding, c.encodingName = negotiate(general.PositionEncodings)

	c.configuration = yes(space.Configuration)
	c.watchFiles = yes(part(space.DidChangeWatchedFiles).DynamicRegistration)
	c.watchConfiguration = yes(part(space.DidChangeConfiguration).DynamicRegistration)
	c.documentChanges = yes(part(space.WorkspaceEdit).DocumentChanges)
	c.createsFiles = c.documentChanges && slices.Contains(part(space.WorkspaceEdit).ResourceOperations, protocol.ResourceOperationKindCreate)
	c.refreshDiagnostics = yes(part(space.Diagnostics).RefreshSupport)
	c.refreshLenses = yes(part(space.CodeLens).RefreshSupport)
	c.refreshHints = yes(part(space.InlayHint).RefreshSupport)
	c.appliesEdits = yes(space.ApplyEdit)
	c.annotates = part(space.WorkspaceEdit).ChangeAnnotationSupport != nil
	c.fillsIn = yes(part(space.WorkspaceEdit).SnippetEditSupport)
	c.progresses = yes(part(p.Capabilities.Window).WorkDoneProgress)
	var own experimental
	if protocol.Unmarshal(p.Capabilities.Experimental, &own) == nil {
		c.asks, c.keys = own.Rubric.Ask, own.Rubric.Keys
	}

	c.pull = doc.Diagnostic != nil
	c.diagnostics(doc.PublishDiagnostics, doc.Diagnostic)

	formats := part(doc.Hover).ContentFormat
	c.plain = len(formats) > 0 && !slices.Contains(formats, protocol.MarkupKindMarkdown)
	c.outlines = yes(part(doc.DocumentSymbol).HierarchicalDocumentSymbolSupport)
	c.preparesRename = yes(part(doc.Rename).PrepareSupport)
	c.mostFolds = int(part(part(doc.FoldingRange).RangeLimit))

	items := part(part(doc.Completion).CompletionItem)
	c.snippets = yes(items.SnippetSupport)
	c.asIs = slices.Contains(items.InsertTextModeSupport.ValueSet, protocol.InsertTextModeAsIs)
	c.retriggers = strings.HasPrefix(p.ClientInfo.Name, "Visual Studio Code")

	actions := part(doc.CodeAction)
	c.actionLiterals = actions.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil
	c.preferred = yes(actions.IsPreferredSupport)
	c.disabled = yes(actions.DisabledSupport)
	c.lazyEdits = yes(actions.DataSupport) && slices.Contains(actions.ResolveSupport.Properties, "edit")
	return c
}

// diagnostics reads what a client shows of diagnostics, which before 3.18 it
// said of published ones alone. One that says nothing of either gets all: what
// it does not know it passes over.
func (c *client) diagnostics(published *protocol.PublishDiagnosticsClientCapabilities, pulled *protocol.DiagnosticClientCapabilities) {
	if published == nil && pulled == nil {
		c.related, c.tags = true, []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary, protocol.DiagnosticTagDeprecated}
		return
	}
	for _, shown := range []protocol.DiagnosticsCapabilities{part(published).DiagnosticsCapabilities, part(pulled).DiagnosticsCapabilities} {
		c.related = c.related || yes(shown.RelatedInformation)
		c.tags = append(c.tags, shown.TagSupport.ValueSet...)
	}
}

// part is an optional part of the capabilities, empty if it is missing.
func part[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

func yes(b *bool) bool { return b != nil && *b }

// encodings are the units of columns that are understood, by their names.
var encodings = map[protocol.PositionEncodingKind]text.Encoding{
	protocol.PositionEncodingKindUTF8:  text.UTF8,
	protocol.PositionEncodingKindUTF16: text.UTF16,
	protocol.PositionEncodingKindUTF32: text.UTF32,
}

// negotiate takes the first that the client offers, which is the one it likes
// best; that is UTF-16 for clients that only know that, and may be always.
func negotiate(offered []protocol.PositionEncodingKind) (text.Encoding, protocol.PositionEncodingKind) {
	for _, name := range offered {
		if enc, known := encodings[name]; known {
			return enc, name
		}
	}
	if len(offered) == 0 {
		return text.UTF16, ""
	}
	return text.UTF16, protocol.PositionEncodingKindUTF16
}
