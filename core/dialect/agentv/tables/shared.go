package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// What the newer versions do with what they cannot use, as messages say it.
const (
	refusesFile   = "refuses the file"
	refusesTest   = "refuses the test"
	skipsTest     = "skips the test"
	skipsEntry    = "skips the assertion"
	dropsItem     = "drops the criterion"
	ignoresIt     = "ignores it"
	frowns        = "ignores it, and its `validate` refuses the file"
	bestForget    = "July 2026 at the latest"
	olderVersions = "Of an older version, and read for its files' sake only."
)

var (
	texts  = schema.ListOf(schema.String)
	share  = schema.NumberBetween(0, 1)
	freely = schema.AnyValue
)

// but is a copy of a type under a name, with fields replaced or added.
func but(t *schema.Type, name string, fields ...*schema.Field) *schema.Type {
	copied := *t
	copied.Name = name
	copied.Fields = nil
	replaced := map[string]*schema.Field{}
	for _, f := range fields {
		replaced[f.Key] = f
	}
	for _, f := range t.Fields {
		if other := replaced[f.Key]; other != nil {
			f = other
			delete(replaced, f.Key)
		}
		copied.Fields = append(copied.Fields, f)
	}
	for _, f := range fields {
		if replaced[f.Key] != nil {
			copied.Fields = append(copied.Fields, f)
		}
	}
	return &copied
}

// required is a copy of a field that has to be there.
func required(f *schema.Field, lost string) *schema.Field {
	copied := *f
	copied.Required, copied.OnInvalid = true, lost
	return &copied
}

// removed are keys that the newest version no longer has and that no other name
// has taken the place of. Lost is what it does for them.
func removed(what, lost string, keys ...string) (fields []*schema.Field) {
	for _, key := range keys {
		fields = append(fields, &schema.Field{Key: key, Type: freely, RemovedIn: bestForget, Doc: what, OnInvalid: lost})
	}
	return fields
}

// evaluatorField is how cases were graded by default, once.
var evaluatorField = &schema.Field{Key: "evaluator", Type: freely, DeprecatedNames: []string{"evaluator"}, Doc: olderVersions}

// message is a turn of a conversation. Its parts may be of other kinds too.
var message = but(agentv.MessageType, "message", &schema.Field{
	Key: "content", OnInvalid: "drops the message", Example: "Where is my order?",
	Type: schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, part)), schema.Object),
	Doc:  "What is said: a text, parts of text and files, or data.",
})

var part = &schema.Type{
	Name: "content-part",
	Doc:  "A piece of a message.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "type", Required: true, Doc: "What the piece is.",
			Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{
				{Text: "text", Doc: "`value` is the text itself"}, {Text: "file", Doc: "`value` is the path of a file"},
				{Text: "image", Doc: "`value` is the path of a picture"},
			}},
		},
		{Key: "value", Type: schema.String, Doc: "The text, or the file's path."},
	},
	OtherValues: freely,
}

var (
	asked    = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(message))
	answered = schema.UnionOf(schema.String, schema.ListOf(freely), schema.Object)
)
