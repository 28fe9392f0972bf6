package rubric

import (
	"cmp"
	"slices"
	"strings"
)

// Preprocessor is a program that turns files of a media type into text, before a judge sees them.
type Preprocessor struct {
	Type    string   // the media type, as [MediaType] returns it
	Command []string // arguments
}

// mediaTypes are the media types with a short name in AgentV (content-preprocessor.ts).
var mediaTypes = map[string]string{
	"csv": "text/csv", "htm": "text/html", "html": "text/html", "json": "application/json", "markdown": "text/markdown",
	"md": "text/markdown", "pdf": "application/pdf", "sql": "application/sql", "txt": "text/plain", "xhtml": "application/xhtml+xml",
	"xls": "application/vnd.ms-excel", "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
	"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// MediaType returns the media type that name means: a type, or a short name such as `pdf`.
func MediaType(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	return cmp.Or(mediaTypes[name], name)
}

// MergePreprocessors returns defaults with those of own added. The later of two for one type counts.
func MergePreprocessors(defaults, own []Preprocessor) (all []Preprocessor) {
	for _, p := range slices.Concat(defaults, own) {
		if i := slices.IndexFunc(all, func(other Preprocessor) bool { return other.Type == p.Type }); i >= 0 {
			all[i] = p
		} else {
			all = append(all, p)
		}
	}
	return all
}
