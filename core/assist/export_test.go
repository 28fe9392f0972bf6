package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TypeOf returns the field table's type of a node in the chunk's own tree.
func TypeOf(p *analysis.Chunk, n *yaml.Node) *schema.Type { return schemaContextOf(p, n).Type }
