package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TypeOf is what the field table says that a node of the part's own tree may be.
func TypeOf(p *analysis.Chunk, n *yaml.Node) *schema.Type { return schemaContextOf(p, n).Type }
