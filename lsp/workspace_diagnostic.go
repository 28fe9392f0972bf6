package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// atOnce is how many reports are sent in one piece to a client that takes them
// in pieces.
const atOnce = 20

// workspaceDiagnostic answers what is wrong with every file of ours in the
// client's folders, as it has them open or as they are on disk.
func workspaceDiagnostic(ctx context.Context, at *Snapshot, p *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	known := map[uri.URI]string{}
	for _, r := range p.PreviousResultIds {
		known[r.URI] = r.Value
	}
	report := &protocol.WorkspaceDiagnosticReport{Items: []protocol.WorkspaceDocumentDiagnosticReport{}}
	for _, u := range at.everything(known) {
		if ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		item, err := at.reportOn(u, known)
		if err != nil {
			return nil, err
		}
		if item == nil {
			continue
		}
		report.Items = append(report.Items, item)
		if p.PartialResultToken != nil && len(report.Items) == atOnce {
			at.client.progress(p.PartialResultToken, report)
			report.Items = report.Items[:0]
		}
	}
	if p.PartialResultToken != nil && len(report.Items) > 0 {
		at.client.progress(p.PartialResultToken, report) // then the answer itself has to be empty
		report.Items = report.Items[:0]
	}
	return report, nil
}

// everything are the files to report on: those in the folders, open ones, and
// those that were reported on before, which may be gone.
func (at *Snapshot) everything(known map[uri.URI]string) (all []uri.URI) {
	seen := map[uri.URI]bool{}
	take := func(u uri.URI) {
		if !seen[u] {
			seen[u] = true
			all = append(all, u)
		}
	}
	var folders []string
	for _, f := range at.Folders {
		if f.URI.IsFile() {
			folders = append(folders, f.URI.FsPath())
		}
	}
	if files := at.session.disk.Files; files != nil && len(folders) > 0 {
		for _, path := range files(folders) {
			take(uri.File(path))
		}
	}
	for u := range at.Documents {
		take(u)
	}
	for u := range known {
		take(u)
	}
	return all
}

// reportOn is the report on one file; nil if there is nothing to say of it and
// nothing was.
func (at *Snapshot) reportOn(u uri.URI, known map[uri.URI]string) (protocol.WorkspaceDocumentDiagnosticReport, error) {
	items, version, ours := []protocol.Diagnostic{}, (*int32)(nil), false
	if d := at.Documents[u]; d != nil {
		version, ours = &d.Version, d.Ours()
		items = at.said(d)
	} else if a := at.session.shelf.analysis(at.session, u); a != nil && a.Recognised() {
		ours = true
		items = at.client.toDiagnostics(u, a, a.Worst(mostShown, at.elsewhere[u]))
	}
	before, reported := known[u]
	if !ours && !reported {
		return nil, nil
	}
	id, err := resultID(items)
	if err != nil {
		return nil, err
	}
	if before == id {
		return &protocol.WorkspaceUnchangedDocumentDiagnosticReport{
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: unchanged, ResultID: id}, URI: u, Version: version,
		}, nil
	}
	return &protocol.WorkspaceFullDocumentDiagnosticReport{
		FullDocumentDiagnosticReport: protocol.FullDocumentDiagnosticReport{Kind: full, ResultID: &id, Items: items}, URI: u, Version: version,
	}, nil
}

// progress sends a piece of an answer.
func (c *client) progress(token protocol.ProgressToken, piece any) {
	if encoded, err := (codec{}).Marshal(piece); err == nil {
		c.notify(protocol.MethodProgress, &protocol.ProgressParams{Token: token, Value: encoded})
	}
}
