package lsp

import (
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	findings "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// offerOwnActions adds the kinds of this server's own actions to those of all hosts.
func offerOwnActions(o *protocol.ServerCapabilities) {
	if actions, ok := o.CodeActionProvider.(*protocol.CodeActionOptions); ok {
		actions.CodeActionKinds = slices.Insert(actions.CodeActionKinds, 3, protocol.CodeActionKind(generateKind), convertKind)
	}
}

// ownActions returns the actions that need this server: they ask a judge or create files.
func (s *snapshot) ownActions(d *cache.Document, span text.Span) (all []ide.CodeAction) {
	if a := s.generateAction(d, span); a != nil {
		all = append(all, *a)
	}
	return slices.Concat(all, s.createActions(d, span), s.convertActions(d, span))
}

// convertKind is the kind of the actions that convert a file to another dialect or version.
const convertKind = action.RefactorRewrite + ".rubric.convert"

// convertActions returns the actions that convert an eval file to the other dialect or to another version
// of AgentV, as new files in the same folder. They are offered on the first line only, to clients that can
// create files.
func (s *snapshot) convertActions(d *cache.Document, selection text.Span) (all []ide.CodeAction) {
	if !s.Client.CanCreateFiles || !d.IsEvalFile() || d.Source().OffsetPosition(selection.Start, text.UTF16).Line > 0 {
		return nil
	}
	titles := map[string]string{adk.Name: "convert to an ADK evalset"}
	switch d.ADK() {
	case adk.None:
		for name, v := range convert.VersionNames {
			if v != convert.VersionOf(d.Suite()) {
				titles[name] = "convert to AgentV " + name
			}
		}
	case adk.EvalSet, adk.Older, adk.Turns:
		titles = map[string]string{agentv.Name: "convert to an AgentV eval file"}
	default:
		return nil
	}
	for _, to := range slices.Sorted(maps.Keys(titles)) {
		a := ide.CodeAction{Title: titles[to], Kind: convertKind}
		if s.Client.CanResolveEdits {
			a.Data = &ide.ActionData{URI: string(d.URI), Version: d.Version, Convert: to}
		} else if conversion, err := convertDocument(d, to); err == nil {
			a.Edit = newFilesEdit(d.URI, conversion)
		} else {
			continue
		}
		all = append(all, a)
	}
	return all
}

// convertDocument converts a document to a dialect or a version of AgentV.
func convertDocument(d *cache.Document, to string) (convert.Conversion, error) {
	name := convert.Stem(string(d.URI))
	if v, isVersion := convert.VersionNames[to]; isVersion {
		return convert.ToVersion(d.Suite(), d.Tree(), v, name+"."+to)
	}
	if to == adk.Name {
		return convert.ToADK(d.Suite(), name)
	}
	criteria := adk.DefaultCriteria()
	if body, found := d.ReadSibling(adk.ConfigName); found {
		configured := adk.LowerConfig(metric.Latest, adk.Open(adk.ConfigName, body)).Criteria
		criteria = generic.Map(configured, func(c adk.Criterion) metric.Criterion { return c.Criterion })
	}
	return convert.ToAgentV(adk.LowerSet(metric.Latest, adk.Open(cache.PathOf(d.URI), d.Body())), criteria, name)
}

// convertEdit converts a document for a client that chose the action, and tells the user what the
// conversion dropped.
func (s *snapshot) convertEdit(d *cache.Document, to string) (*ide.WorkspaceEdit, error) {
	conversion, err := convertDocument(d, to)
	if err != nil {
		return nil, err
	}
	if losses := generic.Map(conversion.Losses, convert.Loss.String); len(losses) > 0 {
		s.Client.ShowMessage(protocol.MessageTypeWarning, "rubric: the conversion dropped: "+strings.Join(losses, "; "))
	}
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

// createActions returns the fixes that create files that an eval file names and that are missing, but no programs: empty,
// and in its folder or below. A cursor is about its line.
func (s *snapshot) createActions(d *cache.Document, selection text.Span) (all []ide.CodeAction) {
	base, err := url.Parse(string(d.URI))
	if err != nil || !s.Client.CanCreateFiles {
		return nil
	}
	if selection.Empty() {
		selection = d.Source().LineSpan(d.Source().OffsetLine(selection.Start))
	}
	f := s.OpenFile(d)
	for _, found := range f.Host.DiagnosticsIn(selection) {
		written := d.Tree().NodeAt(found.Span.Start).Text()
		name := v4.TrimFileScheme(written)
		if found.Code != "missing-file" || !filepath.IsLocal(name) || path.Ext(name) == "" || rubric.IsProgram(name) {
			continue
		}
		all = append(all, ide.CodeAction{
			Title: "create `" + name + "`", Kind: action.QuickFix,
			Diagnostics: []ide.Finding{findings.New(f, found, findings.Underlined(f, found.Span))},
			Edit:        &ide.WorkspaceEdit{DocumentChanges: []any{ide.CreateFile{Kind: "create", URI: base.JoinPath("..", name).String()}}},
		})
	}
	return all
}
