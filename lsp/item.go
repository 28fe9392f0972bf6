package lsp

import (
	"net/url"
	"strings"

	"go.lsp.dev/uri"
)

// itemID names a file, a case of it, or a criterion of that, by URI, case id,
// grader name and criterion id: the same one for as long as these stay.
func itemID(u uri.URI, path ...string) string {
	if len(path) == 0 {
		return string(u)
	}
	escaped := make([]string, len(path))
	for i, name := range path {
		escaped[i] = url.PathEscape(name)
	}
	return string(u) + "#" + strings.Join(escaped, "/")
}
