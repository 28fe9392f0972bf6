package token

import (
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// InRange returns the semantic tokens of a span.
func InRange(f *ide.File, within text.Span) ide.SemanticTokens {
	return ide.SemanticTokens{Data: EncodeTokens(TokensIn(f.Analysis, within, f.Client.Encoding))}
}
