package adk

import "github.com/rubric-ls/rubric/core/schema"

// null is the default of what ADK lets be null; all else may be left out, if it
// is not required, but not be null.
const null = "`null`"

// refuses is what ADK does in the files themselves; skips, where it looks only in
// the middle of a run.
const (
	refuses     = "refuses the file"
	refusedOnce = "ignores it, and refuses the file in 2.0"
	skips       = "does not evaluate the metric"
)

// field is an entry of a table in both of ADK's styles.
func field(key string, t *schema.Type, fallback, doc string) *schema.Field {
	f := &schema.Field{Key: key, Type: t, Default: fallback, Nullable: fallback == null, Doc: doc, OnInvalid: refuses}
	if c := camel(key); c != key {
		f.Aliases, f.WinningName = []string{c}, c
	}
	return f
}

// needed is a required one.
func needed(key string, t *schema.Type, doc string) *schema.Field {
	f := field(key, t, "", doc)
	f.Required = true
	return f
}

// nullable lets a required entry be null.
func nullable(f *schema.Field) *schema.Field {
	f.Nullable = true
	return f
}

// with gives an entry an example.
func with(example any, f *schema.Field) *schema.Field {
	f.Example = example
	return f
}

// not says what other tools call an entry, which ADK does not know.
func not(names []string, f *schema.Field) *schema.Field {
	f.Misnomers = names
	return f
}

// since says which version brought an entry.
func since(version string, f *schema.Field) *schema.Field {
	f.AddedIn = version
	return f
}

// costs says what ADK does without a good value.
func costs(what string, fields ...*schema.Field) []*schema.Field {
	for _, f := range fields {
		f.OnInvalid = what
	}
	return fields
}

// snake takes the entries' second style away.
func snake(fields ...*schema.Field) []*schema.Field {
	for _, f := range fields {
		f.Aliases, f.WinningName = nil, ""
	}
	return fields
}

// strict is a mapping whose unknown keys cost all that it is in.
func strict(name, doc, stray string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{Name: name, Doc: doc, Kind: schema.Map, Fields: fields, OnUnknownKey: stray}
}

// loose is a mapping whose unknown keys are read past.
func loose(name, doc string, fields ...*schema.Field) *schema.Type {
	return strict(name, doc, "", fields...)
}
