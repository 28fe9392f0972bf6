package ide

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
)

// The types of answers have the shapes of the Language Server Protocol, and their members its order.

// Location is an LSP location. URI is the document's name.
type Location struct {
	URI   string     `json:"uri"`
	Range text.Range `json:"range"`
}

// TextEdit is an LSP text edit.
type TextEdit struct {
	Range   text.Range `json:"range"`
	NewText string     `json:"newText"`
}

// SnippetEdit is a text edit with placeholders.
type SnippetEdit struct {
	Range   text.Range `json:"range"`
	Snippet Snippet    `json:"snippet"`
}

// Snippet is a text in LSP snippet syntax.
type Snippet struct {
	Kind  string `json:"kind"` // always snippet
	Value string `json:"value"`
}

// WorkspaceEdit holds edits of several documents. Changes, by URI, are for clients that know no
// versions.
type WorkspaceEdit struct {
	Changes map[string][]TextEdit `json:"changes,omitempty"`
	// DocumentChanges are a [DocumentEdit] each, or what only some clients accept: a
	// [SnippetDocumentEdit] or a [CreateFile].
	DocumentChanges []any `json:"documentChanges,omitempty" ts:"DocumentEdit[]"`
}

// DocumentEdit holds the edits of one document.
type DocumentEdit struct {
	TextDocument VersionedDocument `json:"textDocument"`
	Edits        []TextEdit        `json:"edits"`
}

// SnippetDocumentEdit holds edits of one document with placeholders.
type SnippetDocumentEdit struct {
	TextDocument VersionedDocument `json:"textDocument"`
	Edits        []SnippetEdit     `json:"edits"`
}

// VersionedDocument is a version of a document. Version is null for a document that is not open.
type VersionedDocument struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// CreateFile creates an empty file. It never overwrites one.
type CreateFile struct {
	Kind    string            `json:"kind"` // always create
	URI     string            `json:"uri"`
	Options CreateFileOptions `json:"options"`
}

// CreateFileOptions say what happens if the file exists.
type CreateFileOptions struct {
	Overwrite      bool `json:"overwrite"`
	IgnoreIfExists bool `json:"ignoreIfExists"`
}

// MarkupContent is Markdown, or plain text for clients that do not render Markdown.
type MarkupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// Command is an LSP command.
type Command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

// CommandTarget is the argument of a command: a file, a case or a criterion.
type CommandTarget struct {
	URI       string `json:"uri"`
	Case      string `json:"case,omitzero"`
	Grader    string `json:"grader,omitzero"`
	Criterion string `json:"criterion,omitzero"`
	Recorded  string `json:"recorded,omitzero"` // a file of recorded conversations
	Job       string `json:"job,omitzero"`      // that is to be cancelled
}

// Hover is the documentation of a position.
type Hover struct {
	Contents *MarkupContent `json:"contents"`
	Range    text.Range     `json:"range"`
}

// CompletionList holds the completions at a position, likeliest first.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// CompletionItem is an LSP completion item. Pass Data to `resolve` to get the documentation.
type CompletionItem struct {
	Label            string         `json:"label"`
	Kind             int            `json:"kind,omitzero"`
	Detail           string         `json:"detail,omitempty"`
	Documentation    *MarkupContent `json:"documentation,omitempty"`
	SortText         string         `json:"sortText,omitempty"`
	FilterText       string         `json:"filterText,omitempty"`
	InsertTextFormat int            `json:"insertTextFormat,omitzero"` // 2 for a snippet
	InsertTextMode   int            `json:"insertTextMode,omitzero"`   // 1: the text is already indented
	TextEdit         *TextEdit      `json:"textEdit,omitempty"`
	Command          *Command       `json:"command,omitempty"`
	Data             *Topic         `json:"data,omitempty"`
}

// Topic is the data of a completion item: its documentation page.
type Topic struct {
	URI   string `json:"uri"`
	Topic string `json:"topic"`
}

// CodeAction is an LSP code action. Pass Data to `resolve` to get the edit.
type CodeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind,omitempty"`
	Diagnostics []Finding      `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitzero"`
	Disabled    *Disabled      `json:"disabled,omitempty"`
	Edit        *WorkspaceEdit `json:"edit,omitempty"`
	Command     *Command       `json:"command,omitempty"`
	Data        *ActionData    `json:"data,omitempty"`
}

// Disabled says why an action is not available.
type Disabled struct {
	Reason string `json:"reason"`
}

// ActionData is the data of an action: what it does to one version of a document.
type ActionData struct {
	URI     string `json:"uri"`
	Version int32  `json:"version"`
	Convert string `json:"convert,omitzero"` // converts the file to this dialect, or version of AgentV
	EditChoice
}

// EditChoice identifies the edits of an action, which are computed when the user picks it: a fix of
// a diagnostic, a comment that ignores it, a refactoring or a migration. The zero value means all
// safe fixes.
type EditChoice struct {
	Rule     string    `json:"rule,omitzero"`
	FixIndex int       `json:"fix,omitzero"`
	Ignore   bool      `json:"ignore,omitzero"` // ignore the rule instead of fixing it
	Refactor string    `json:"refactor,omitzero"`
	Span     text.Span `json:"span,omitzero"`
	// ToVersion is the AgentV version to migrate to.
	ToVersion agentv.Version `json:"into,omitzero"`
}

// Finding is an LSP diagnostic.
type Finding struct {
	Range              text.Range       `json:"range"`
	Severity           int              `json:"severity"`
	Code               string           `json:"code"`
	CodeDescription    CodeDescription  `json:"codeDescription,omitzero"`
	Source             string           `json:"source"`
	Message            string           `json:"message"`
	Tags               []int            `json:"tags,omitempty"`
	RelatedInformation []RelatedFinding `json:"relatedInformation,omitempty"`
}

// CodeDescription links to a rule's page.
type CodeDescription struct {
	Href string `json:"href"`
}

// RelatedFinding is a second location of a finding.
type RelatedFinding struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// InlayHint is an LSP inlay hint: an effective value that the text leaves out.
type InlayHint struct {
	Position    text.Position  `json:"position"`
	Label       string         `json:"label"`
	Tooltip     *MarkupContent `json:"tooltip,omitempty"`
	PaddingLeft bool           `json:"paddingLeft"`
}

// CodeLens is an LSP code lens.
type CodeLens struct {
	Range   text.Range `json:"range"`
	Command Command    `json:"command"`
}

// SemanticTokens are LSP semantic tokens: five numbers each, with the legend of `capabilities`.
type SemanticTokens struct {
	Data []uint32 `json:"data"`
}

// DocumentHighlight is a related range: 1 the same text, 2 a reference, 3 the declaration.
type DocumentHighlight struct {
	Range text.Range `json:"range"`
	Kind  int        `json:"kind"`
}

// LinkedRanges are ranges that change together while the user types in one.
type LinkedRanges struct {
	Ranges      []text.Range `json:"ranges"`
	WordPattern string       `json:"wordPattern"`
}

// DocumentLink is a link to a file or a web address.
type DocumentLink struct {
	Range  text.Range `json:"range"`
	Target string     `json:"target"`
}

// Renameable is a name that can be renamed.
type Renameable struct {
	Range       text.Range `json:"range"`
	Placeholder string     `json:"placeholder"`
}

// DocumentSymbol is an LSP document symbol.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          text.Range       `json:"range"`
	SelectionRange text.Range       `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}

// SymbolInformation is a symbol in a flat list.
type SymbolInformation struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	ContainerName string   `json:"containerName,omitempty"`
	Location      Location `json:"location"`
}

// FoldingRange is an LSP folding range of whole lines. Kind is "comment" for a block of comments.
type FoldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// SelectionRange is a range and the next larger one.
type SelectionRange struct {
	Range  text.Range      `json:"range"`
	Parent *SelectionRange `json:"parent,omitempty"`
}
