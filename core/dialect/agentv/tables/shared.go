package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// What the newer versions do with what they cannot use, as messages say it.
const (
	lostFile        = "refuses the file"
	lostTest        = "refuses the test"
	lostTestSkipped = "skips the test"
	lostEntry       = "skips the assertion"
	lostCriterion   = "drops the criterion"
	lostValue       = "ignores it"
	lostInValidate  = "ignores it, and its `validate` refuses the file"
	removedAtLatest = "July 2026 at the latest"
	olderVersionDoc = "Of an older version, and read for its files' sake only."
)

var (
	stringList = schema.ListOf(schema.String)
	shareType  = schema.NumberBetween(0, 1)
	anyValue   = schema.AnyValue
)

// copyType is a copy of a type under a name, with fields replaced or added.
func copyType(t *schema.Type, name string, fields ...*schema.Field) *schema.Type {
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

// asRequired is a copy of a field that has to be there.
func asRequired(f *schema.Field, lost string) *schema.Field {
	copied := *f
	copied.Required, copied.OnInvalid = true, lost
	return &copied
}

// newRemovedFields are keys that the newest version no longer has and that no other name
// has taken the place of. Lost is what it does for them.
func newRemovedFields(what, lost string, keys ...string) (fields []*schema.Field) {
	for _, key := range keys {
		fields = append(fields, &schema.Field{Key: key, Type: anyValue, RemovedIn: removedAtLatest, Doc: what, OnInvalid: lost})
	}
	return fields
}

// evaluatorField is how cases were graded by default, once.
var evaluatorField = &schema.Field{Key: "evaluator", Type: anyValue, DeprecatedNames: []string{"evaluator"}, Doc: olderVersionDoc}

// messageType is a turn of a conversation. Its parts may be of other kinds too.
var messageType = copyType(agentv.MessageType, "message", &schema.Field{
	Key: "content", OnInvalid: "drops the message", Example: "Where is my order?",
	Type: schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.String, contentPartType)), schema.Object),
	Doc:  "What is said: a text, parts of text and files, or data.",
})

var contentPartType = &schema.Type{
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
	OtherValues: anyValue,
}

var (
	inputType  = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(messageType))
	answerType = schema.UnionOf(schema.String, schema.ListOf(anyValue), schema.Object)
)
