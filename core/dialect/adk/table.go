package adk

import "github.com/rubric-ls/rubric/core/schema"

// nullDefault is the default of what ADK lets be null; all else may be left out, if it
// is not required, but not be null.
const nullDefault = "`null`"

// lostFile is what ADK does in the files themselves; skips, where it looks only in
// the middle of a run.
const (
	lostFile    = "refuses the file"
	lostFileIn2 = "ignores it, and refuses the file in 2.0"
	lostMetric  = "does not evaluate the metric"
)

// newField is an entry of a table in both of ADK's styles.
func newField(key string, t *schema.Type, fallback, doc string) *schema.Field {
	f := &schema.Field{Key: key, Type: t, Default: fallback, Nullable: fallback == nullDefault, Doc: doc, OnInvalid: lostFile}
	if c := camelCase(key); c != key {
		f.Aliases, f.WinningName = []string{c}, c
	}
	return f
}

// newRequiredField is a required one.
func newRequiredField(key string, t *schema.Type, doc string) *schema.Field {
	f := newField(key, t, "", doc)
	f.Required = true
	return f
}

// withNull lets a required entry be null.
func withNull(f *schema.Field) *schema.Field {
	f.Nullable = true
	return f
}

// withExample gives an entry an example.
func withExample(example any, f *schema.Field) *schema.Field {
	f.Example = example
	return f
}

// withForeignKeys says what other tools call an entry, which ADK does not know.
func withForeignKeys(names []string, f *schema.Field) *schema.Field {
	f.Misnomers = names
	return f
}

// withSince says which version brought an entry.
func withSince(version string, f *schema.Field) *schema.Field {
	f.AddedIn = version
	return f
}

// withLost says what ADK does without a good value.
func withLost(what string, fields ...*schema.Field) []*schema.Field {
	for _, f := range fields {
		f.OnInvalid = what
	}
	return fields
}

// withoutCamelCase takes the entries' second style away.
func withoutCamelCase(fields ...*schema.Field) []*schema.Field {
	for _, f := range fields {
		f.Aliases, f.WinningName = nil, ""
	}
	return fields
}

// newStrictType is a mapping whose unknown keys cost all that it is in.
func newStrictType(name, doc, stray string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{Name: name, Doc: doc, Kind: schema.Map, Fields: fields, OnUnknownKey: stray}
}

// newLooseType is a mapping whose unknown keys are read past.
func newLooseType(name, doc string, fields ...*schema.Field) *schema.Type {
	return newStrictType(name, doc, "", fields...)
}
