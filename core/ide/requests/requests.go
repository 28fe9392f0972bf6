// Package requests maps requests of the Language Server Protocol to the editor's features. Every host
// of a language server answers the requests in [Routes].
package requests

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// A Route is a request about one eval file.
type Route struct {
	Method string
	// Offer returns the server's capability, or "" for none, and its value.
	Offer func(*ide.Client) (name string, value any)
	// Bind decodes the request's parameters. It returns the document's URI and the question.
	Bind func(params []byte, decode Decode) (uri string, ask Ask, err error)
}

// Decode decodes JSON.
type Decode func(data []byte, into any) error

// Ask answers a question about a file; nil for a document that is not an eval file.
type Ask func(*ide.File) (any, error)

// AnswersHalfTyped reports whether a method also answers about a file that is not an eval file, but may become one.
func AnswersHalfTyped(method string, a *analysis.Analysis) bool {
	return method == "textDocument/completion" && a.MayBecomeCases()
}

// offer returns a capability that does not depend on the client.
func offer(name string, value any) func(*ide.Client) (string, any) {
	return func(*ide.Client) (string, any) { return name, value }
}

// resolve returns a route for parameters of type P, which may belong to no file.
func resolve[P interface{ document() string }](method string, answer func(f *ide.File, p P) (any, error)) Route {
	return Route{Method: method, Bind: func(params []byte, decode Decode) (string, Ask, error) {
		var p P
		err := decode(params, &p)
		return p.document(), func(f *ide.File) (any, error) { return answer(f, p) }, err
	}}
}

// request returns a route for parameters of type P, about an eval file.
func request[P interface{ document() string }](method string, empty any, offer func(*ide.Client) (string, any), answer func(f *ide.File, p P) (any, error)) Route {
	r := resolve(method, func(f *ide.File, p P) (any, error) {
		if f == nil {
			return empty, nil
		}
		return answer(f, p)
	})
	r.Offer = offer
	return r
}

// at returns a route for a question about a position.
func at[R any](method string, empty any, offer func(*ide.Client) (string, any), answer func(f *ide.File, offset int) R) Route {
	return request(method, empty, offer, func(f *ide.File, p positionParams) (any, error) { return answer(f, p.offset(f)), nil })
}

// in returns a route for a question about a range, or about the whole file if the request has none.
func in[R any](method string, empty any, offer func(*ide.Client) (string, any), answer func(f *ide.File, within text.Span) R) Route {
	return request(method, empty, offer, func(f *ide.File, p rangeParams) (any, error) { return answer(f, p.span(f)), nil })
}

// documentParams name a document.
type documentParams struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
}

func (p documentParams) document() string { return p.TextDocument.URI }

// position is an LSP position. Its numbers may be too large for an int32.
type position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// offset returns the offset of a position. One past every line's end means that end.
func (p position) offset(f *ide.File) int {
	const most = 1<<31 - 1
	return f.Source().PositionOffset(text.Position{Line: int(min(p.Line, most)), Character: int(min(p.Character, most))}, f.Client.Encoding)
}

// positionParams are a position in a document.
type positionParams struct {
	documentParams
	Position position `json:"position"`
}

func (p positionParams) offset(f *ide.File) int { return p.Position.offset(f) }

// rangeParams are a range of a document.
type rangeParams struct {
	documentParams
	Range *struct {
		Start position `json:"start"`
		End   position `json:"end"`
	} `json:"range"`
}

func (p rangeParams) span(f *ide.File) text.Span {
	if p.Range == nil {
		return text.Span{End: f.Length()}
	}
	start := p.Range.Start.offset(f)
	return text.Span{Start: start, End: max(start, p.Range.End.offset(f))}
}
