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
	isTrusted    bool                          // whether programs may be run and models asked, on request

	pullsDiagnostics      bool // asks for diagnostics; then none are pushed
	canRefreshDiagnostics bool
	hasConfiguration      bool
	canWatchFiles         bool // takes registrations for files that change
	canWatchConfiguration bool
	hasRelatedInformation bool // shows second places of diagnostics
	tags                  []protocol.DiagnosticTag
	canCreateFiles        bool // makes new files
	hasDocumentChanges    bool // takes edits with the version they are for
	hasActionLiterals     bool
	canResolveEdits       bool // asks for an action's edit when it is chosen
	hasPreferredActions   bool // shows which action is the best
	hasDisabledActions    bool // shows actions that cannot be had
	isPlainText           bool // draws no Markdown
	hasSnippets           bool // goes through the places of a completion that are left to fill in
	hasAsIsInsertion      bool // leaves the indentation of a completion alone, if told
	canRetrigger          bool // knows the command by which VS Code completes again
	hasSymbolTree         bool // shows symbols as a tree
	canPrepareRename      bool
	maxFolds              int  // 0 for any number
	hasProgress           bool // shows how far long work is
	canRefreshLenses      bool
	canRefreshHints       bool
	canApplyEdits         bool // makes edits that it did not ask for
	hasAnnotations        bool // shows what an edit is for before it is made
	hasSnippetEdits       bool // goes through the places of an edit that are left to fill in
	hasModel              bool // lets its own model be asked
	hasKeys               bool // keeps keys of providers
}

// initOptions are the initialization options.
type initOptions struct {
	Trusted *bool  `json:"trusted"`
	Token   string `json:"token"`
}

// experimentalCapabilities are the capabilities that are ours alone.
type experimentalCapabilities struct {
	Rubric struct {
		Ask  bool `json:"ask"`
		Keys bool `json:"keys"`
	} `json:"rubric"`
}

// newClient reads what a client says of itself; trusted holds unless the client says
// otherwise. Capabilities come in nested optional parts, each of which may be missing.
func newClient(p *protocol.InitializeParams, peer peer, trusted bool) *client {
	c := &client{peer: peer, isTrusted: trusted}
	var opts initOptions
	switch malformed := len(p.InitializationOptions) > 0 && protocol.Unmarshal(p.InitializationOptions, &opts) != nil; {
	case malformed:
		c.isTrusted = false // what the client says cannot be read, which may be a no
	case opts.Trusted != nil:
		c.isTrusted = *opts.Trusted
	}
	general, doc, workspace := deref(p.Capabilities.General), deref(p.Capabilities.TextDocument), deref(p.Capabilities.Workspace)
	c.encoding, c.encodingName = negotiateEncoding(general.PositionEncodings)

	c.hasConfiguration = isTrue(workspace.Configuration)
	c.canWatchFiles = isTrue(deref(workspace.DidChangeWatchedFiles).DynamicRegistration)
	c.canWatchConfiguration = isTrue(deref(workspace.DidChangeConfiguration).DynamicRegistration)
	c.hasDocumentChanges = isTrue(deref(workspace.WorkspaceEdit).DocumentChanges)
	c.canCreateFiles = c.hasDocumentChanges && slices.Contains(deref(workspace.WorkspaceEdit).ResourceOperations, protocol.ResourceOperationKindCreate)
	c.canRefreshDiagnostics = isTrue(deref(workspace.Diagnostics).RefreshSupport)
	c.canRefreshLenses = isTrue(deref(workspace.CodeLens).RefreshSupport)
	c.canRefreshHints = isTrue(deref(workspace.InlayHint).RefreshSupport)
	c.canApplyEdits = isTrue(workspace.ApplyEdit)
	c.hasAnnotations = deref(workspace.WorkspaceEdit).ChangeAnnotationSupport != nil
	c.hasSnippetEdits = isTrue(deref(workspace.WorkspaceEdit).SnippetEditSupport)
	c.hasProgress = isTrue(deref(p.Capabilities.Window).WorkDoneProgress)
	var custom experimentalCapabilities
	if protocol.Unmarshal(p.Capabilities.Experimental, &custom) == nil {
		c.hasModel, c.hasKeys = custom.Rubric.Ask, custom.Rubric.Keys
	}

	c.pullsDiagnostics = doc.Diagnostic != nil
	c.readDiagnosticCapabilities(doc.PublishDiagnostics, doc.Diagnostic)

	formats := deref(doc.Hover).ContentFormat
	c.isPlainText = len(formats) > 0 && !slices.Contains(formats, protocol.MarkupKindMarkdown)
	c.hasSymbolTree = isTrue(deref(doc.DocumentSymbol).HierarchicalDocumentSymbolSupport)
	c.canPrepareRename = isTrue(deref(doc.Rename).PrepareSupport)
	c.maxFolds = int(deref(deref(doc.FoldingRange).RangeLimit))

	items := deref(deref(doc.Completion).CompletionItem)
	c.hasSnippets = isTrue(items.SnippetSupport)
	c.hasAsIsInsertion = slices.Contains(items.InsertTextModeSupport.ValueSet, protocol.InsertTextModeAsIs)
	c.canRetrigger = strings.HasPrefix(p.ClientInfo.Name, "Visual Studio Code")

	actions := deref(doc.CodeAction)
	c.hasActionLiterals = actions.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil
	c.hasPreferredActions = isTrue(actions.IsPreferredSupport)
	c.hasDisabledActions = isTrue(actions.DisabledSupport)
	c.canResolveEdits = isTrue(actions.DataSupport) && slices.Contains(actions.ResolveSupport.Properties, "edit")
	return c
}

// readDiagnosticCapabilities reads what a client shows of diagnostics, which before 3.18 it
// said of published ones alone. One that says nothing of either gets all: what
// it does not know it passes over.
func (c *client) readDiagnosticCapabilities(published *protocol.PublishDiagnosticsClientCapabilities, pulled *protocol.DiagnosticClientCapabilities) {
	if published == nil && pulled == nil {
		c.hasRelatedInformation, c.tags = true, []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary, protocol.DiagnosticTagDeprecated}
		return
	}
	for _, capabilities := range []protocol.DiagnosticsCapabilities{deref(published).DiagnosticsCapabilities, deref(pulled).DiagnosticsCapabilities} {
		c.hasRelatedInformation = c.hasRelatedInformation || isTrue(capabilities.RelatedInformation)
		c.tags = append(c.tags, capabilities.TagSupport.ValueSet...)
	}
}

// deref is an optional part of the capabilities, empty if it is missing.
func deref[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

func isTrue(b *bool) bool { return b != nil && *b }

// encodings are the units of columns that are understood, by their names.
var encodings = map[protocol.PositionEncodingKind]text.Encoding{
	protocol.PositionEncodingKindUTF8:  text.UTF8,
	protocol.PositionEncodingKindUTF16: text.UTF16,
	protocol.PositionEncodingKindUTF32: text.UTF32,
}

// negotiateEncoding takes the first that the client offers, which is the one it likes
// best; that is UTF-16 for clients that only know that, and may be always.
func negotiateEncoding(offered []protocol.PositionEncodingKind) (text.Encoding, protocol.PositionEncodingKind) {
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
