package lsp

import (
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
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
	return append(all, s.convertActions(d, span)...)
}
