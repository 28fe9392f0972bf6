package agentv

import "github.com/rubric-ls/rubric/core/schema"

// LabelsFile holds the grades that people gave, beside an eval file. It is not
// AgentV's own: no version of it reads one.
var LabelsFile = &schema.Type{
	Name: "labels-file",
	Doc: "The grades that people gave the answers to an eval file's cases, which `rubric calibrate` holds a judge against. " +
		"`support.labels.yaml` is beside `support.eval.yaml`, `support.yaml` or `support.jsonl`.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "labels", Required: true, OnInvalid: "refuses the file", Type: schema.MapOf(schema.MapOf(labelType)),
			Example: map[string]any{"refund-window": map[string]any{"window": true, "tone": 7}},
			Doc:     "By a case's id, the grades by criterion."},
	},
}

// labelType is one grade.
var labelType = schema.UnionOf(
	&schema.Type{Kind: schema.Bool},
	schema.NumberBetween(0, 10),
	&schema.Type{
		Name: "label", Doc: "A grade that a person gave. In short it is `satisfied` or the `score` alone.", Kind: schema.Map,
		RequireAny: []string{"satisfied", "score"}, OnMissingAll: "does not count the label",
		Fields: []*schema.Field{
			{Key: "satisfied", Type: schema.Boolean, Doc: "Whether a checklist criterion is satisfied."},
			{Key: "score", Type: schema.NumberBetween(0, 10), Doc: "The score of a criterion with ranges, 0 to 10."},
			{Key: "note", Type: schema.String, Doc: "Why."},
			{Key: "by", Type: schema.String, Doc: "Whose grade it is."},
		},
	},
)
