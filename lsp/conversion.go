package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// convertKind is the kind of the action that writes a file in another dialect.
const convertKind = protocol.CodeActionKindRefactorRewrite + ".rubric.convert"

// conversion is the action that writes an eval file in the other dialect, as new
// files beside it. It is offered on a file's first line, for there is one of a
// file, and to clients that can make files.
func (at *Snapshot) conversion(d *Document, asked text.Span) *protocol.CodeAction {
	if !at.client.createsFiles || !d.Ours() || d.Position(asked.Start, text.UTF16).Line > 0 {
		return nil
	}
	title := "convert to an ADK evalset"
	switch d.ADK() {
	case adk.None:
	case adk.EvalSet, adk.Older, adk.Turns:
		title = "convert to an AgentV eval file"
	default:
		return nil
	}
	a := &protocol.CodeAction{Title: title, Kind: new(convertKind)}
	encoded, err := (codec{}).Marshal(choice{URI: d.URI, Version: d.Version, Convert: true})
	if at.client.lazyEdits && err == nil {
		a.Data = encoded
		return a
	}
	made, err := d.converted()
	if err != nil {
		return nil
	}
	a.Edit = newFiles(d.URI, made)
	return a
}

// converted is a document in the other dialect.
func (d *Document) converted() (convert.Conversion, error) {
	name := convert.Stem(string(d.URI))
	if d.ADK() == adk.None {
		return convert.ToADK(d.Suite(), name)
	}
	criteria := adk.Defaults()
	if find := d.beside.input.Files; find != nil {
		if body, found := find("test_config.json"); found {
			criteria = nil
			for _, c := range adk.LowerConfig(metric.Latest, adk.Open("test_config.json", body)).Criteria {
				criteria = append(criteria, c.Criterion)
			}
		}
	}
	return convert.ToAgentV(adk.LowerSet(metric.Latest, adk.Open(pathOf(d.URI), d.body())), criteria, name)
}

// newFiles has files made beside another, none over one that is there.
func newFiles(beside uri.URI, made convert.Conversion) *protocol.WorkspaceEdit {
	folder := string(beside)[:strings.LastIndexByte(string(beside), '/')+1]
	all := &protocol.WorkspaceEdit{}
	for _, f := range made.Files {
		at := uri.URI(folder + f.Name)
		all.DocumentChanges = append(all.DocumentChanges,
			&protocol.CreateFile{Kind: "create", URI: at, Options: &protocol.CreateFileOptions{Overwrite: new(false), IgnoreIfExists: new(false)}},
			&protocol.TextDocumentEdit{
				TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: at}},
				Edits:        []protocol.TextDocumentEditElement{&protocol.TextEdit{NewText: f.Text}},
			})
	}
	return all
}

// tellLosses shows what a conversion cost.
func (c *client) tellLosses(made convert.Conversion) {
	if len(made.Losses) == 0 {
		return
	}
	var all []string
	for _, l := range made.Losses {
		all = append(all, l.String())
	}
	c.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
		Type: protocol.MessageTypeWarning, Message: "rubric: lost in the conversion: " + strings.Join(all, "; "),
	})
}
