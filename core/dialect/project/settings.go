// Package project describes .rubric.yaml, a project's own settings.
package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/schema"
)

// Keys that are no options of a run.
const (
	RulesKey   = "rules"   // severities of rules
	PricesKey  = "prices"  // prices of models
	ProfileKey = "profile" // the scoring profile, which is an option too
)

const refusesFile = "refuses the file"

// rulesType is the table of severities. [AddRule] fills it.
var rulesType = &schema.Type{Name: "rule-severities", Doc: "Severities of rules, by their ids.", Kind: schema.Map, OnUnknownKey: refusesFile}

var severityType = schema.EnumOf(
	schema.Value{Text: "error", Doc: "keeps the case from running"}, schema.Value{Text: "warning"}, schema.Value{Text: "info"},
	schema.Value{Text: "hint"}, schema.Value{Text: "off", Doc: "does not report it"},
)

// AddRule adds a rule to the table, which is sorted by id.
func AddRule(id, summary, severity string) {
	at, _ := slices.BinarySearchFunc(rulesType.Fields, id, func(f *schema.Field, id string) int { return strings.Compare(f.Key, id) })
	rulesType.Fields = slices.Insert(rulesType.Fields, at, &schema.Field{Key: id, Type: severityType, Default: "`" + severity + "`", OnInvalid: refusesFile, Informational: true, Doc: summary + "."})
}

// SettingsFile is the table of .rubric.yaml. The options of a run are those of [run.Options].
var SettingsFile = &schema.Type{
	Name: "settings-file",
	Doc:  "The settings of a project: of `rubric check`, of `rubric run`, and of editors. The file nearest to an eval file counts.",
	Kind: schema.Map, OnUnknownKey: refusesFile,
	Fields: append(runFields(),
		&schema.Field{Key: RulesKey, Type: rulesType, Nullable: true, OnInvalid: refusesFile, Informational: true, Example: map[string]any{"id-style": "off"}, Doc: "Severities of rules."},
		&schema.Field{Key: PricesKey, Type: schema.MapOf(priceType), OnInvalid: refusesFile, Informational: true,
			Example: map[string]any{"openai:gpt-4.1": map[string]any{"input": 2, "output": 8}}, Doc: "Prices of models, by PROVIDER:MODEL."},
	),
}

var priceType = &schema.Type{
	Name: "price", Doc: "The price of a model, in US dollars per million tokens.", Kind: schema.Map, OnUnknownKey: refusesFile,
	Fields: []*schema.Field{
		{Key: "input", Type: schema.NonNegative, Required: true, OnInvalid: refusesFile, Informational: true, Doc: "For tokens that the model reads."},
		{Key: "output", Type: schema.NonNegative, Required: true, OnInvalid: refusesFile, Informational: true, Doc: "For tokens that the model writes."},
	},
}

// File is the kind of file of the settings.
func File() agentv.File {
	return agentv.File{Role: agentv.Settings, Name: "rubric-settings", Title: "Settings of a project, .rubric.yaml", Type: SettingsFile}
}

func runFields() (fields []*schema.Field) {
	for _, o := range run.Options(run.Project) {
		f := &schema.Field{Key: o.Key(), Type: optionType(o), OnInvalid: refusesFile, Informational: true, Doc: o.Description(run.Project)}
		if o.Default() != "" && o.Zero == "" {
			f.Default = o.DefaultText()
			f.Example = o.Default()
		}
		if o.PerTag {
			f.Example = []any{0.9, "safety=1"}
		}
		fields = append(fields, f)
	}
	return fields
}

// optionType returns the type of an option's value.
func optionType(o run.Option) *schema.Type {
	switch o.Type() {
	case "array":
		if o.PerTag {
			minimum := schema.UnionOf(schema.NumberBetween(0, 1), schema.NonEmptyString)
			return schema.UnionOf(schema.NumberBetween(0, 1), schema.NonEmptyString, schema.NonEmptyListOf(minimum))
		}
		text := &schema.Type{Kind: schema.Text, NonEmpty: true}
		for i, value := range o.Values {
			if value != run.EditorJudgeName { // the command line has no model of an editor
				text.Proposed = append(text.Proposed, schema.Value{Text: value, Doc: o.ValueDocs[i]})
			}
		}
		return schema.UnionOf(text, schema.NonEmptyListOf(text))
	case "integer", "number":
		number := schema.NumberBetween(o.Min, cmp.Or(o.Max, run.MaxCount))
		number.IsInteger, number.ExcludesMin = o.Type() == "integer", o.Zero != ""
		return number
	case "string":
		return schema.EnumOf(schema.Values(o.Values)...)
	}
	panic(fmt.Sprintf("there is no type for the option %s", o.Name))
}
