package assist

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// style is how a file writes what is to be inserted.
type style struct {
	newline string
	dash    int  // columns from a key to the dashes of its list
	json    bool // keys and texts in double quotes
}

// styleOf looks at the part, and for the dashes at how the part itself stands in
// its file.
func styleOf(p *analysis.Chunk) style {
	s := style{newline: "\n", dash: 2}
	if strings.Contains(p.Source.Body, "\r\n") {
		s.newline = "\r\n"
	}
	root := p.Tree.Root()
	if root.Kind == yaml.Sequence && root.Style == yaml.Block && p.Header != nil {
		s.dash = min(columnOf(p.Source, root), 4)
	}
	found := false
	yaml.Walk(root, func(n *yaml.Node) bool {
		for _, pair := range n.Pairs {
			if v := pair.Value; !found && n.Style == yaml.Block && v.Kind == yaml.Sequence && v.Style == yaml.Block && len(v.Items) > 0 {
				s.dash, found = max(columnOf(p.Source, v)-columnOf(p.Source, pair.Key), 0), true
			}
		}
		return !found
	})
	return s
}

func columnOf(src *text.Source, n *yaml.Node) int {
	return src.OffsetPosition(n.Span.Start, text.UTF8).Character
}

func quoteJSON(words string) string {
	quoted, _ := json.Marshal(words) // a string always marshals
	return string(quoted)
}

func sortedKeys(m map[string]any) []string {
	return slices.SortedStableFunc(maps.Keys(m), compareNumeric)
}
