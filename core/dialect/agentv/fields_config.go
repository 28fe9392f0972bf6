package agentv

import "github.com/rubric-ls/rubric/core/schema"

// ConfigFile is an .agentv/config.yaml.
var ConfigFile = &schema.Type{
	Name: "config-file",
	Doc:  "Settings for all eval files below a folder.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		schemaKey("agentv-config-v2"),
		{
			Key: "guideline_patterns", Type: schema.NonEmptyListOf(schema.String), Example: []string{"**/*.instructions.md"},
			Doc: "Which referenced files are guidelines rather than attachments, as glob patterns.",
		},
	},
}
