package ide

import "github.com/rubric-ls/rubric/core/text"

// A Client has the capabilities of an editor that change answers.
type Client struct {
	Encoding              text.Encoding // of positions
	IsPlainText           bool          // does not render Markdown
	HasSnippets           bool          // in completions
	HasAsIsInsertion      bool          // can leave the indentation of a completion alone
	CanRetrigger          bool          // knows VS Code's command that triggers completion again
	HasActionLiterals     bool
	CanResolveEdits       bool // resolves an action's edit when the user chooses it
	HasPreferredActions   bool
	HasDisabledActions    bool
	HasDocumentChanges    bool // accepts edits for a given document version
	HasSnippetEdits       bool // accepts snippets in workspace edits
	HasSymbolTree         bool // accepts document symbols as a tree
	CanPrepareRename      bool
	MaxFolds              int // 0 for no limit
	HasRelatedInformation bool
	ShowsResults          bool                   // of criteria, so hints leave them out
	CanChoose             bool                   // lets the user choose target and judge, by lens.ChooseCommand
	HasTag                func(tag int) bool     // shows a tag of diagnostics; nil means all
	HasCommand            func(name string) bool // executes the command of a lens; nil means all
}

// Browser is an editor in a page. It supports what the evaluator can answer.
var Browser = Client{
	Encoding: text.UTF16, HasSnippets: true, HasAsIsInsertion: true, CanRetrigger: true, HasActionLiterals: true, CanResolveEdits: true,
	HasPreferredActions: true, HasDisabledActions: true, HasDocumentChanges: true, HasSymbolTree: true, CanPrepareRename: true,
	HasRelatedInformation: true,
}

// Markup returns Markdown, or the same text as plain text for clients that do not render Markdown.
func (c *Client) Markup(markdown string) *MarkupContent {
	if c.IsPlainText {
		return &MarkupContent{Kind: "plaintext", Value: markdown}
	}
	return &MarkupContent{Kind: "markdown", Value: markdown}
}
