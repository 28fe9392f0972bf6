package api

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect"
)

// FormatsResult holds the format of a file, and all formats that there are.
type FormatsResult struct {
	Recognised bool     `json:"recognised"`     // by its content or name
	Name       string   `json:"name,omitempty"` // of the file's format, such as AgentV; absent if it is not recognised
	Formats    []Format `json:"formats"`
}

// Format is a dialect with its kinds of files.
type Format struct {
	Name  string   `json:"name"`
	Files []string `json:"files"` // titles, in the order of the reference
}

// formats takes the name of a dialect from the first word of its first title.
func formats(d document, _ fileParams) (FormatsResult, error) {
	result := FormatsResult{Recognised: d.Recognised()}
	last := ""
	for _, f := range dialect.Files() {
		if f.Dialect != last {
			name, _, _ := strings.Cut(f.Title, " ")
			result.Formats = append(result.Formats, Format{Name: name})
			last = f.Dialect
			if result.Recognised && last == d.Dialect() {
				result.Name = name
			}
		}
		group := &result.Formats[len(result.Formats)-1]
		group.Files = append(group.Files, f.Title)
	}
	return result, nil
}
