package tables

import "github.com/rubric-ls/rubric/core/schema"

// HeadConfig is an .agentv/config.yaml of July 2026.
var HeadConfig = &schema.Type{
	Name: "config-file",
	Doc:  "Settings for all eval files below a folder.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "What kind of file this is: `agentv-config-v2`."},
		providersField,
		{Key: "defaults", Type: anyValue, Example: map[string]any{"provider": "default", "grader": "grader"}, Doc: "The provider and the grader that are used where none is named."},
		{Key: "tests", Type: anyValue, Doc: "Tests, or `file://` and the path of some."},
		{Key: "eval_patterns", Type: schema.ListOf(schema.String), Example: []string{"**/evals/**/suite.yaml"}, Doc: "Which files are eval files, as glob patterns."},
		{Key: "execution", Type: schema.Object, Doc: "How evals are run where the command line does not say."},
	},
	OtherValues: anyValue,
}
