package schema

// WithExample returns a copy of the field with an example, a JSON value.
func (f *Field) WithExample(example any) *Field {
	return f.With(func(f *Field) { f.Example = example })
}

// WithDefault returns a copy of the field with a default, as written in a file or in a few words.
func (f *Field) WithDefault(byDefault string) *Field {
	return f.With(func(f *Field) { f.Default = byDefault })
}

// WithMisnomers returns a copy of the field with names that only other tools use.
func (f *Field) WithMisnomers(names ...string) *Field {
	return f.With(func(f *Field) { f.Misnomers = names })
}

// WithNull returns a copy of the field for which null is a valid value.
func (f *Field) WithNull() *Field { return f.With(func(f *Field) { f.Nullable = true }) }

// Since returns a copy of the field that a version has added.
func (f *Field) Since(version string) *Field {
	return f.With(func(f *Field) { f.AddedIn = version })
}

// AsRequired returns a copy of the field that is required.
func (f *Field) AsRequired() *Field { return f.With(func(f *Field) { f.Required = true }) }

// AsInformational returns a copy of the field that changes neither what is asked nor how it is graded.
func (f *Field) AsInformational() *Field { return f.With(func(f *Field) { f.Informational = true }) }

// AsUnsupported returns a copy of the field with the reason why a run of ours differs from what it asks for.
func (f *Field) AsUnsupported(why string) *Field {
	return f.With(func(f *Field) { f.Unsupported = why })
}

// WithAliases returns a copy of the field with other names that the runner reads.
func (f *Field) WithAliases(names ...string) *Field {
	return f.With(func(f *Field) { f.Aliases = names })
}

// WithDeprecatedNames returns a copy of the field with the names that are read for older files only.
func (f *Field) WithDeprecatedNames(names ...string) *Field {
	return f.With(func(f *Field) { f.DeprecatedNames = names })
}

// Needing returns a copy of a mapping of which at least one of the keys is required.
func (t *Type) Needing(onMissingAll string, keys ...string) *Type {
	copied := *t
	copied.RequireAny, copied.OnMissingAll = keys, onMissingAll
	return &copied
}
