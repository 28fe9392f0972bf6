package api

import (
	"encoding/json"
	"errors"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/ide/format"
	"github.com/rubric-ls/rubric/core/ide/selection"
	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
)

// file returns the document as an editor's features see it.
func (d document) file(client *ide.Client) *ide.File {
	f := &ide.File{Analysis: d.Analysis, URI: d.name, Version: d.version, Client: client}
	f.Host = ide.Host{
		Outcomes:      d.outcomes,
		Suite:         d.runnableSuite,
		LastRun:       d.lastRun,
		RunNames:      func() *ide.RunNames { return d.runNames },
		Others:        func() []*ide.File { return d.otherFiles(client) },
		DiagnosticsIn: func(span text.Span) []diag.Diagnostic { return d.DiagnosticsIn(span, nil) },
		FileURI:       d.documentName,
		Metrics:       d.metricCriteria,
	}
	return f
}

// positionMethod is a method about a position in a file.
func positionMethod[R any](summary string, answer func(f *ide.File, offset int) R) Method {
	return placeMethod(summary, func(f *ide.File, offset int, _ positionParams) (R, error) { return answer(f, offset), nil })
}

// rangeMethod is a method about a range of a file.
func rangeMethod[R any](summary string, answer func(f *ide.File, within text.Span) R) Method {
	return placeMethod(summary, func(f *ide.File, within text.Span, _ rangeParams) (R, error) { return answer(f, within), nil })
}

// placeMethod is a method about a place in a file, which its parameters find.
func placeMethod[P interface {
	find() (*ide.File, Place, error)
}, Place, R any](summary string, answer func(*ide.File, Place, P) (R, error)) Method {
	return method(summary, func(p P) (result R, err error) {
		f, place, err := p.find()
		if err != nil {
			return result, err
		}
		return answer(f, place, p)
	})
}

// documentMethod is a method about a file, which its parameters find.
func documentMethod[P interface{ findDocument() (document, error) }, R any](summary string, answer func(document, P) (R, error)) Method {
	return method(summary, func(p P) (result R, err error) {
		d, err := p.findDocument()
		if err != nil {
			return result, err
		}
		return answer(d, p)
	})
}

// positionParams are a position in a file.
type positionParams struct {
	fileParams
	Position text.Position `json:"position"`
}

// find returns the file and the offset of the position.
func (p positionParams) find() (*ide.File, int, error) {
	d, err := p.findDocument()
	if err != nil {
		return nil, 0, err
	}
	return d.file(&ide.Browser), d.Source().PositionOffset(p.Position, text.UTF16), nil
}

// rangeParams are a range of a file. Without a range, they mean the whole file.
type rangeParams struct {
	fileParams
	Range *text.Range `json:"range,omitempty"`
}

func (p rangeParams) find() (*ide.File, text.Span, error) {
	d, err := p.findDocument()
	switch {
	case err != nil:
		return nil, text.Span{}, err
	case p.Range == nil:
		return d.file(&ide.Browser), text.Span{End: d.Length()}, nil
	}
	return d.file(&ide.Browser), d.Span(*p.Range, text.UTF16), nil
}

// actionsParams are a range of a file and the kinds of actions that are requested; none means any.
type actionsParams struct {
	rangeParams
	Only []string `json:"only,omitempty"`
}

// resolveParams are the data of a completion item or of an action, and the file. For an open
// document the file may be left out.
type resolveParams struct {
	fileParams
	Data json.RawMessage `json:"data"`
}

// Resolved holds what an item or an action left out. Note tells the user what the edit does not do.
type Resolved struct {
	Documentation *ide.MarkupContent `json:"documentation,omitempty"`
	Edit          *ide.WorkspaceEdit `json:"edit,omitempty"`
	Note          string             `json:"note,omitempty"`
}

func resolve(p resolveParams) (r Resolved, err error) {
	var data struct {
		ide.ActionData
		Topic string `json:"topic"`
	}
	if err := json.Unmarshal(p.Data, &data); err != nil {
		return r, failf(BadParams, "`data` must be that of a completion item or an action")
	}
	if p.Text == nil && p.Document == "" {
		p.Document = data.URI
	}
	d, err := p.findDocument()
	if err != nil {
		return r, err
	}
	if data.Topic != "" {
		r.Documentation = completion.Documentation(d.file(&ide.Browser), data.Topic)
		return r, nil
	}
	r.Edit, r.Note, err = action.Resolve(d.file(&ide.Browser), data.ActionData)
	return r, err
}

// referencesParams are a position. Declared includes the declaration in the result.
type referencesParams struct {
	positionParams
	Declared bool `json:"declared,omitempty"`
}

// renameParams are a position and the new name.
type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

// selectionParams are positions in a file.
type selectionParams struct {
	fileParams
	Positions []text.Position `json:"positions"`
}

func selections(d document, p selectionParams) ([]*ide.SelectionRange, error) {
	all := []*ide.SelectionRange{}
	for _, position := range p.Positions {
		all = append(all, selection.At(d.file(&ide.Browser), d.Source().PositionOffset(position, text.UTF16)))
	}
	return all, nil
}

// Capabilities holds what an editor must know before its first request.
type Capabilities struct {
	CompletionTriggers []string `json:"completionTriggers"` // characters
	EnterTrigger       string   `json:"enterTrigger"`       // the character after which to call `enter`
	ActionKinds        []string `json:"actionKinds"`
	TokenTypes         []string `json:"tokenTypes"`
	TokenModifiers     []string `json:"tokenModifiers"`
}

func capabilities(struct{}) (Capabilities, error) {
	return Capabilities{
		CompletionTriggers: completion.CompletionTriggers[:], EnterTrigger: format.NewLine, ActionKinds: action.Kinds,
		TokenTypes: token.TokenTypes[:], TokenModifiers: token.TokenModifiers[:],
	}, nil
}

// toFailure returns an error of a feature with its code.
func toFailure(err error) *Failure {
	if fault, ok := errors.AsType[*ide.Error](err); ok {
		return &Failure{fault.Code, fault.Message}
	}
	failure := &Failure{Internal, err.Error()}
	errors.As(err, &failure)
	return failure
}
