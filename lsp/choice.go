package lsp

import (
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
)

// choice is what an action does to one version of a document.
type choice struct {
	URI     uri.URI `json:"uri"`
	Version int32   `json:"version"`
	assist.Choice
}
