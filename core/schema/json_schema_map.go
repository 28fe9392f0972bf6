package schema

// mapSchema is a Map as JSON Schema.
func (t *Type) mapSchema() object {
	out := object{{"type", "object"}}
	if t.HasVariants() {
		return append(out, t.variantSchema()...)
	}
	var properties object
	for _, f := range t.Fields {
		if f.RemovedIn != "" {
			continue
		}
		for _, name := range f.Names() {
			properties = append(properties, member{name, f.propertySchema(name)})
		}
	}
	if properties != nil {
		out = append(out, member{"properties", properties})
	}
	if required := t.requiredKeys(); required != nil {
		out = append(out, member{"required", required})
	}
	switch {
	case t.OtherValues == nil:
		out = append(out, member{"additionalProperties", false})
	case t.OtherValues.Kind != Any:
		out = append(out, member{"additionalProperties", t.OtherValues.schemaRef()})
	}
	if t.OtherNames != nil {
		var all []string
		for _, f := range t.Fields {
			all = append(all, f.Names()...)
		}
		out = append(out, member{"propertyNames", object{{"enum", append(all, t.OtherNames...)}}})
	}
	if all := t.keyConditions(); all != nil {
		out = append(out, member{"allOf", all})
	}
	return out
}

// requiredKeys are the required keys that go by one name.
func (t *Type) requiredKeys() (keys []string) {
	for _, f := range t.Fields {
		if f.Required && len(f.Aliases) == 0 {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// keyConditions say what `required` cannot: keys with several names, of which one
// is enough and two are too many, and keys of which some must be there.
func (t *Type) keyConditions() (all []object) {
	for _, f := range t.Fields {
		if len(f.Aliases) == 0 {
			continue
		}
		if f.Required {
			all = append(all, anyOf(f.Names()))
		}
		for i, name := range f.Names() {
			for _, other := range f.Names()[i+1:] {
				all = append(all, object{{"not", object{{"required", []string{name, other}}}}})
			}
		}
	}
	if t.RequireAny != nil {
		all = append(all, anyOf(t.RequireAny))
	}
	return all
}

func anyOf(keys []string) object {
	var choices []object
	for _, key := range keys {
		choices = append(choices, object{{"required", []string{key}}})
	}
	return object{{"anyOf", choices}}
}

// variantSchema chooses among variants by the tag's value, or by the keys that are
// there where there is no tag.
func (t *Type) variantSchema() (out object) {
	var conditions, untagged []object
	var markers []string
	for _, c := range t.Choices {
		switch {
		case c.MarkerKey != "":
			conditions = append(conditions, object{{"if", t.untaggedCondition(c.MarkerKey)}, {"then", c.schemaRef()}})
			markers = append(markers, c.MarkerKey)
		case c.TagValues == nil:
			untagged = append(untagged, c.schemaRef())
		default:
			conditions = append(conditions, object{
				{"if", object{{"properties", object{{t.Tag, object{{"enum", t.VariantTags(c)}}}}}, {"required", []string{t.Tag}}}},
				{"then", c.schemaRef()},
			})
		}
	}
	for _, ref := range untagged {
		conditions = append(conditions, object{{"if", object{{"not", anyOf(markers)}}}, {"then", ref}})
	}
	if t.Tag != "" {
		out = append(out, member{"properties", object{{t.Tag, t.Field(t.Tag).propertySchema(t.Tag)}}})
		if markers == nil {
			out = append(out, member{"required", []string{t.Tag}})
		} else {
			conditions = append(conditions, anyOf(append([]string{t.Tag}, markers...)))
		}
	}
	return append(out, member{"allOf", conditions})
}

// untaggedCondition is a mapping with a sign and without the tag.
func (t *Type) untaggedCondition(marker string) object {
	out := object{{"required", []string{marker}}}
	if t.Tag != "" {
		out = append(out, member{"not", object{{"required", []string{t.Tag}}}})
	}
	return out
}

// propertySchema is a field as JSON Schema under one of its names. A reference takes
// no siblings in draft-07, so a described one is wrapped.
func (f *Field) propertySchema(name string) object {
	doc := stripBackticks(f.Doc)
	if name != f.Key {
		doc = "Another name of " + f.Key + ". " + doc
	}
	if f.Default != "" {
		doc += " Default: " + stripBackticks(f.Default) + "."
	}
	out := object{{"description", doc}}
	if t := f.TypeAs(name); t.Name != "" {
		out = append(out, member{"allOf", []object{t.schemaRef()}})
	} else {
		out = append(out, t.schemaBody()...)
	}
	if f.Example != nil && (f.AliasType == nil || name != f.Key) {
		out = append(out, member{"examples", []any{f.Example}})
	}
	return out
}
