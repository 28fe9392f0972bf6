package requests

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/ide/fold"
	"github.com/rubric-ls/rubric/core/ide/format"
	"github.com/rubric-ls/rubric/core/ide/hover"
	"github.com/rubric-ls/rubric/core/ide/inlay"
	"github.com/rubric-ls/rubric/core/ide/lens"
	"github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/ide/outline"
	"github.com/rubric-ls/rubric/core/ide/panel"
	"github.com/rubric-ls/rubric/core/ide/selection"
	"github.com/rubric-ls/rubric/core/ide/testitem"
	"github.com/rubric-ls/rubric/core/ide/token"
)

// Answers about documents that are not eval files.
var (
	none    = []int{}
	noItems = ide.CompletionList{Items: []ide.CompletionItem{}}
)

// Routes lists the requests. A row is the method, the answer about other documents, the capability
// and the feature. The rows are in the order of the protocol's capabilities.
func Routes() []Route {
	type object = map[string]any
	return []Route{
		at("textDocument/completion", noItems, offer("completionProvider", struct {
			TriggerCharacters []string `json:"triggerCharacters"`
			ResolveProvider   bool     `json:"resolveProvider"`
		}{completion.CompletionTriggers[:], true}), completion.At),
		resolve("completionItem/resolve", resolveItem),
		at("textDocument/hover", nil, offer("hoverProvider", true), hover.At),
		at("textDocument/definition", none, offer("definitionProvider", true), navigation.DefinitionAt),
		request("textDocument/references", none, offer("referencesProvider", true), references),
		at("textDocument/documentHighlight", none, offer("documentHighlightProvider", true), navigation.HighlightsAt),
		in("textDocument/documentSymbol", none, offer("documentSymbolProvider", true), outline.InRange),
		request("textDocument/codeAction", none, offerActions, actions),
		resolve("codeAction/resolve", resolveAction),
		in("textDocument/codeLens", none, offer("codeLensProvider", object{}), lens.InRange),
		in("textDocument/documentLink", none, offer("documentLinkProvider", object{}), navigation.LinksInRange),
		in("textDocument/formatting", none, offer("documentFormattingProvider", true), format.InRange),
		in("textDocument/rangeFormatting", none, offer("documentRangeFormattingProvider", true), format.InRange),
		request("textDocument/onTypeFormatting", none, offer("documentOnTypeFormattingProvider", object{"firstTriggerCharacter": format.NewLine}), formatTyped),
		request("textDocument/rename", nil, offerRename, rename),
		request("textDocument/prepareRename", nil, nil, prepareRename),
		in("textDocument/foldingRange", none, offer("foldingRangeProvider", true), fold.InRange),
		request("textDocument/selectionRange", none, offer("selectionRangeProvider", true), selections),
		at("textDocument/linkedEditingRange", nil, offer("linkedEditingRangeProvider", true), navigation.LinkedAt),
		in("textDocument/semanticTokens/full", nil, offerTokens, token.InRange),
		in("textDocument/semanticTokens/range", nil, nil, token.InRange),
		request("rubric/testItems", nil, nil, testItems),
		in("rubric/codeLens", none, nil, lens.InRange),
		request("rubric/casePanel", nil, nil, casePanel),
		in("textDocument/inlayHint", none, offer("inlayHintProvider", true), inlay.InRange),
	}
}

func offerTokens(*ide.Client) (string, any) {
	type legend struct {
		TokenTypes     []string `json:"tokenTypes"`
		TokenModifiers []string `json:"tokenModifiers"`
	}
	return "semanticTokensProvider", struct {
		Legend legend `json:"legend"`
		Range  bool   `json:"range"`
		Full   bool   `json:"full"`
	}{legend{token.TokenTypes[:], token.TokenModifiers[:]}, true, true}
}

// offerRename offers to check names only to clients that ask for it: others may not accept options.
func offerRename(c *ide.Client) (string, any) {
	if c.CanPrepareRename {
		return "renameProvider", map[string]bool{"prepareProvider": true}
	}
	return "renameProvider", true
}

// offerActions offers kinds only to clients that know them: others may not accept options.
func offerActions(c *ide.Client) (string, any) {
	if !c.HasActionLiterals {
		return "codeActionProvider", true
	}
	return "codeActionProvider", struct {
		CodeActionKinds []string `json:"codeActionKinds"`
		ResolveProvider bool     `json:"resolveProvider"`
	}{action.Kinds, c.CanResolveEdits}
}

func references(f *ide.File, p struct {
	positionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}) (any, error) {
	return navigation.ReferencesAt(f, p.offset(f), p.Context.IncludeDeclaration), nil
}

func casePanel(f *ide.File, p struct {
	positionParams
	Case   string `json:"case"`
	Target string `json:"target"`
}) (any, error) {
	return panel.At(f, p.offset(f), p.Case, p.Target), nil
}

func prepareRename(f *ide.File, p positionParams) (any, error) {
	return navigation.RenameableAt(f, p.offset(f))
}

func rename(f *ide.File, p struct {
	positionParams
	NewName string `json:"newName"`
}) (any, error) {
	return navigation.RenameAt(f, p.offset(f), p.NewName)
}

func formatTyped(f *ide.File, p struct {
	positionParams
	Character string `json:"ch"`
}) (any, error) {
	if p.Character != format.NewLine {
		return none, nil
	}
	return format.AfterNewLine(f, p.offset(f)), nil
}

func selections(f *ide.File, p struct {
	documentParams
	Positions []position `json:"positions"`
}) (any, error) {
	all := []*ide.SelectionRange{}
	for _, at := range p.Positions {
		all = append(all, selection.At(f, at.offset(f)))
	}
	return all, nil
}

func actions(f *ide.File, p struct {
	rangeParams
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}) (any, error) {
	return action.InRange(f, p.span(f), p.Context.Only), nil
}

// testItems returns the test tree of a file, or of the cases that the request selects.
func testItems(f *ide.File, p struct {
	documentParams
	testitem.Selection
}) (any, error) {
	return testitem.Tree(f, p.Selection), nil
}

// item is a completion item whose documentation is requested.
type item ide.CompletionItem

func (i item) document() string { return generic.OrZero(i.Data).URI }

func resolveItem(f *ide.File, i item) (any, error) {
	if f != nil && i.Data != nil {
		if page := completion.Documentation(f, i.Data.Topic); page != nil {
			i.Documentation = page
		}
	}
	return i, nil
}

// chosenAction is a code action whose edit is requested.
type chosenAction ide.CodeAction

func (a chosenAction) document() string { return generic.OrZero(a.Data).URI }

func resolveAction(f *ide.File, a chosenAction) (_ any, err error) {
	if a.Data == nil {
		return a, nil
	}
	note := ""
	if a.Edit, note, err = action.Resolve(f, *a.Data); note != "" {
		f.Host.ShowMessage("rubric: " + note)
	}
	return a, err
}

// Capabilities returns the server's capabilities as JSON, in the order of the protocol.
func Capabilities(c *ide.Client) json.RawMessage {
	var out bytes.Buffer
	for _, r := range Routes() {
		if r.Offer == nil {
			continue
		}
		if name, value := r.Offer(c); name != "" {
			encoded, err := json.Marshal(value)
			if err != nil { // names and flags always encode
				panic(err)
			}
			fmt.Fprintf(&out, ",%q:%s", name, encoded)
		}
	}
	return append(append([]byte("{"), out.Bytes()[1:]...), '}')
}
