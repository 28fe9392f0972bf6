package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// convertKind is the kind of the action that converts a file to another dialect.
const convertKind = action.RefactorRewrite + ".rubric.convert"

// convertAction returns the action that converts an eval file to the other dialect, as new files in
// the same folder. It is offered on the first line only, to clients that can create files.
func (s *snapshot) convertAction(d *cache.Document, selection text.Span) *ide.CodeAction {
	if !s.Client.CanCreateFiles || !d.IsEvalFile() || d.Position(selection.Start, text.UTF16).Line > 0 {
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
	a := &ide.CodeAction{Title: title, Kind: convertKind}
	if s.Client.CanResolveEdits {
		a.Data = &ide.ActionData{URI: string(d.URI), Version: d.Version, Convert: true}
		return a
	}
	conversion, err := convertDocument(d)
	if err != nil {
		return nil
	}
	a.Edit = newFilesEdit(d.URI, conversion)
	return a
}

// convertDocument converts a document to the other dialect.
func convertDocument(d *cache.Document) (convert.Conversion, error) {
	name := convert.Stem(string(d.URI))
	if d.ADK() == adk.None {
		return convert.ToADK(d.Suite(), name)
	}
	criteria := adk.DefaultCriteria()
	if body, found := d.ReadSibling(adk.ConfigName); found {
		criteria = nil
		for _, c := range adk.LowerConfig(metric.Latest, adk.Open(adk.ConfigName, body)).Criteria {
			criteria = append(criteria, c.Criterion)
		}
	}
	return convert.ToAgentV(adk.LowerSet(metric.Latest, adk.Open(cache.PathOf(d.URI), d.Body())), criteria, name)
}

// convertEdit converts a document for a client that chose the action, and tells the user what the
// conversion dropped.
func (s *snapshot) convertEdit(d *cache.Document) (*ide.WorkspaceEdit, error) {
	conversion, err := convertDocument(d)
	if err != nil {
		return nil, err
	}
	showLosses(s.Client, conversion)
	return newFilesEdit(d.URI, conversion), nil
}

// newFilesEdit creates the converted files next to source.
func newFilesEdit(source uri.URI, conversion convert.Conversion) *ide.WorkspaceEdit {
	folder := string(source)[:strings.LastIndexByte(string(source), '/')+1]
	edit := &ide.WorkspaceEdit{}
	for _, f := range conversion.Files {
		u := folder + f.Name
		edit.DocumentChanges = append(edit.DocumentChanges, ide.CreateFile{Kind: "create", URI: u},
			ide.DocumentEdit{TextDocument: ide.VersionedDocument{URI: u}, Edits: []ide.TextEdit{{NewText: f.Text}}})
	}
	return edit
}

// showLosses tells the user what the conversion dropped.
func showLosses(c *cache.Client, conversion convert.Conversion) {
	if len(conversion.Losses) == 0 {
		return
	}
	var losses []string
	for _, l := range conversion.Losses {
		losses = append(losses, l.String())
	}
	c.ShowMessage(protocol.MessageTypeWarning, "rubric: the conversion dropped: "+strings.Join(losses, "; "))
}
