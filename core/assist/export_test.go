package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TypeOf returns the field table's type of a node in the chunk's own tree.
func TypeOf(p *analysis.Chunk, n *yaml.Node) *schema.Type { return schemaContextOf(p, n).Type }

// IsProposed reports whether a key is a name that completion proposes for its field.
func IsProposed(p *analysis.Chunk, key *yaml.Node) bool {
	f := schemaContextOf(p, key).Field
	return f != nil && slices.Contains(proposedNames(f), key.Value)
}
