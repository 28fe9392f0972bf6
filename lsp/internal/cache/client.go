package cache

import (
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// Client holds the capabilities that the client declared in initialize, and the connection to it.
type Client struct {
	transport.Peer
	ide.Client
	EncodingName protocol.PositionEncodingKind // "" for clients that do not negotiate encodings
	IsTrusted    bool                          // on request, programs may run and models may be asked
	TrustsFiles  bool                          // also those that files name, because the workspace is trusted

	Extensions
	PullsDiagnostics      bool // the client asks for diagnostics; none are pushed
	canRefreshDiagnostics bool
	HasConfiguration      bool
	CanWatchFiles         bool // accepts registrations for file changes
	CanWatchConfiguration bool
	CanCreateFiles        bool
	HasProgress           bool
	canRefreshLenses      bool
	canRefreshHints       bool
	CanApplyEdits         bool // accepts workspace/applyEdit
}

// Extensions are client capabilities that only this server knows, under experimental.rubric.
type Extensions struct {
	HasModel   bool `json:"ask"`     // answers rubric/ask
	HasKeys    bool `json:"keys"`    // answers rubric/key
	CanTrust   bool `json:"trust"`   // answers rubric/trust
	CanPreview bool `json:"preview"` // shows drafts, by rubric/preview
	// ResultsEvery is the pause between notifications of a run's results, in milliseconds; 0 leaves it to
	// the server. A client that states it shows the progress of runs itself.
	ResultsEvery int `json:"resultsEvery"`
}

// NewClient reads the client's capabilities. Trusted is the default for clients that do not state
// it.
func NewClient(p *protocol.InitializeParams, peer transport.Peer, trusted bool) *Client {
	c := &Client{Peer: peer, IsTrusted: trusted}
	var opts struct {
		Trusted *bool `json:"trusted"`
	}
	switch malformed := len(p.InitializationOptions) > 0 && protocol.Unmarshal(p.InitializationOptions, &opts) != nil; {
	case malformed:
		c.IsTrusted = false // the unreadable options may hold a no
	case opts.Trusted != nil:
		c.IsTrusted, c.TrustsFiles = *opts.Trusted, *opts.Trusted
	}
	general, doc, workspace := generic.OrZero(p.Capabilities.General), generic.OrZero(p.Capabilities.TextDocument), generic.OrZero(p.Capabilities.Workspace)
	c.Encoding, c.EncodingName = negotiateEncoding(general.PositionEncodings)

	c.HasConfiguration = generic.OrZero(workspace.Configuration)
	c.CanWatchFiles = generic.OrZero(generic.OrZero(workspace.DidChangeWatchedFiles).DynamicRegistration)
	c.CanWatchConfiguration = generic.OrZero(generic.OrZero(workspace.DidChangeConfiguration).DynamicRegistration)
	c.HasDocumentChanges = generic.OrZero(generic.OrZero(workspace.WorkspaceEdit).DocumentChanges)
	c.CanCreateFiles = c.HasDocumentChanges && slices.Contains(generic.OrZero(workspace.WorkspaceEdit).ResourceOperations, protocol.ResourceOperationKindCreate)
	c.canRefreshDiagnostics = generic.OrZero(generic.OrZero(workspace.Diagnostics).RefreshSupport)
	c.canRefreshLenses = generic.OrZero(generic.OrZero(workspace.CodeLens).RefreshSupport)
	c.canRefreshHints = generic.OrZero(generic.OrZero(workspace.InlayHint).RefreshSupport)
	c.CanApplyEdits = generic.OrZero(workspace.ApplyEdit)
	c.HasSnippetEdits = generic.OrZero(generic.OrZero(workspace.WorkspaceEdit).SnippetEditSupport)
	c.HasProgress = generic.OrZero(generic.OrZero(p.Capabilities.Window).WorkDoneProgress)
	var custom struct {
		Rubric struct {
			Extensions
			Choose  bool `json:"choose"`  // has the commands of lenses that are the client's own
			Results bool `json:"results"` // shows the results of rubric/testItems
		} `json:"rubric"`
	}
	if protocol.Unmarshal(p.Capabilities.Experimental, &custom) == nil {
		c.Extensions, c.ShowsResults, c.CanChoose = custom.Rubric.Extensions, custom.Rubric.Results, custom.Rubric.Choose
	}

	c.PullsDiagnostics = doc.Diagnostic != nil
	c.readDiagnosticCapabilities(doc.PublishDiagnostics, doc.Diagnostic)

	formats := generic.OrZero(doc.Hover).ContentFormat
	c.IsPlainText = len(formats) > 0 && !slices.Contains(formats, protocol.MarkupKindMarkdown)
	c.HasSymbolTree = generic.OrZero(generic.OrZero(doc.DocumentSymbol).HierarchicalDocumentSymbolSupport)
	c.CanPrepareRename = generic.OrZero(generic.OrZero(doc.Rename).PrepareSupport)
	c.MaxFolds = int(generic.OrZero(generic.OrZero(doc.FoldingRange).RangeLimit))

	items := generic.OrZero(generic.OrZero(doc.Completion).CompletionItem)
	c.HasSnippets = generic.OrZero(items.SnippetSupport)
	c.HasAsIsInsertion = slices.Contains(items.InsertTextModeSupport.ValueSet, protocol.InsertTextModeAsIs)
	c.CanRetrigger = strings.HasPrefix(p.ClientInfo.Name, "Visual Studio Code")

	actions := generic.OrZero(doc.CodeAction)
	c.HasActionLiterals = actions.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil
	c.HasPreferredActions = generic.OrZero(actions.IsPreferredSupport)
	c.HasDisabledActions = generic.OrZero(actions.DisabledSupport)
	c.CanResolveEdits = generic.OrZero(actions.DataSupport) && slices.Contains(actions.ResolveSupport.Properties, "edit")
	return c
}

// readDiagnosticCapabilities reads what the client shows of diagnostics. Before 3.18 clients
// declared it for published diagnostics only. A client that declares neither gets everything,
// because clients ignore what they do not know.
func (c *Client) readDiagnosticCapabilities(published *protocol.PublishDiagnosticsClientCapabilities, pulled *protocol.DiagnosticClientCapabilities) {
	if published == nil && pulled == nil {
		c.HasRelatedInformation = true
		return
	}
	var tags []protocol.DiagnosticTag
	for _, capabilities := range []protocol.DiagnosticsCapabilities{generic.OrZero(published).DiagnosticsCapabilities, generic.OrZero(pulled).DiagnosticsCapabilities} {
		c.HasRelatedInformation = c.HasRelatedInformation || generic.OrZero(capabilities.RelatedInformation)
		tags = append(tags, capabilities.TagSupport.ValueSet...)
	}
	c.HasTag = func(tag int) bool { return slices.Contains(tags, protocol.DiagnosticTag(tag)) }
}

// encodings maps the protocol's names to the supported position encodings.
var encodings = map[protocol.PositionEncodingKind]text.Encoding{
	protocol.PositionEncodingKindUTF8:  text.UTF8,
	protocol.PositionEncodingKindUTF16: text.UTF16,
	protocol.PositionEncodingKindUTF32: text.UTF32,
}

// negotiateEncoding picks the first supported encoding that the client offers, which is the one it
// prefers. The default is UTF-16.
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

// CallTimeout is how long a client may take to answer the server's requests.
const CallTimeout = 10 * time.Second

// ShowMessage shows a line to the user, about a command or the settings.
func (c *Client) ShowMessage(kind protocol.MessageType, line string) {
	c.Notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: line})
}

// LogMessage writes a line to the client's log.
func (c *Client) LogMessage(kind protocol.MessageType, line string) {
	c.Notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: line})
}

// SendProgress sends a partial result or a progress message.
func (c *Client) SendProgress(token protocol.ProgressToken, value any) {
	c.Notify(protocol.MethodProgress, &protocol.ProgressParams{Token: token, Value: transport.Encode(value)})
}
