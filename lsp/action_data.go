package lsp

import (
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
)

// actionData is what an action does to one version of a document.
type actionData struct {
	URI     uri.URI `json:"uri"`
	Version int32   `json:"version"`
	Convert bool    `json:"convert,omitzero"` // writes it in the other dialect
	assist.ActionData
}
