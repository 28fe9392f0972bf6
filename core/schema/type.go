// Package schema describes a file format as data: the keys of each mapping, and for each
// key its type, default, bounds and documentation.
//
// Validation, hover, completion, the JSON Schema and the Markdown reference derive from
// these field tables. The package contains no table and reads no file.
package schema

import (
	"slices"
	"strings"
)

// Kind is the kind of a value.
type Kind uint8

const (
	Any Kind = iota
	Text
	Number
	Bool
	List
	Map
	Union // one of several types; at most one matches a value
)

// Type describes the values that are allowed somewhere. Kind decides which fields apply.
type Type struct {
	Name string // of a type with its own section in the reference; "" for an inline type
	Doc  string // description of a named type, in Markdown
	Kind Kind

	Values        []Value  // Text: the only allowed values
	KnownValues   []Value  // Text: known values; others are allowed
	RefusedValues []string // Text: values that are not allowed although unknown ones are
	Proposed      []Value  // Text: values that editors propose; all others are as good
	NonEmpty      bool     // Text: contains a character other than white space
	IsBase64      bool     // Text: bytes in base64
	IsNumber      bool     // Text: a number, or the `${{ … }}` of one

	IsInteger   bool // Number: without a fraction
	Min, Max    *float64
	ExcludesMin bool // Number: greater than Min

	Items     *Type // List
	First     *Type // List: the first item; nil: like the others
	NullItems bool  // List: null is a valid item
	MinLength int   // List
	MaxLength int   // List; 0: unlimited

	Fields       []*Field // Map, in the order of the reference
	OtherValues  *Type    // Map: values of all other keys; nil: no other keys
	OtherNames   []string // Map: the allowed other keys; nil: any
	RequireAny   []string // Map: at least one of these keys is required
	OnMissingAll string   // Map: what the runner does without any key of RequireAny
	OnUnknownKey string   // Map: what the runner does with an unknown key; "": ignores it
	Tag          string   // Map: the key whose value selects a variant, "" if there is none
	Choices      []*Type  // Union: its types; Map: its variants
	TagValues    []string // of a variant: the tag values that select it
	MarkerKey    string   // of a variant: the key that selects it without a tag; "": the default variant
}

// Value is one allowed text.
type Value struct {
	Text     string
	Doc      string
	Synonyms []string // names of the value in other versions and tools
}

// Field is one key of a mapping.
type Field struct {
	Key             string
	Aliases         []string // other names that the runner reads; the first in this order wins
	Misnomers       []string // names that only other tools use
	DeprecatedNames []string // the names that are read for older files only
	WinningName     string   // the name that wins over all others; "": the first
	Doc             string   // one or a few sentences, in Markdown
	Type            *Type
	AliasType       *Type // the type under an alias; nil: Type
	Required        bool
	Nullable        bool   // null is a valid value
	Default         string // as written in a file, or a few words; "" if there is none
	Example         any    // a JSON value
	AddedIn         string // version or date, "" if the key was always there
	RemovedIn       string // version or date, "" if the key still exists
	ReplacedBy      string // the replacement of a removed key
	OnInvalid       string // what the runner does without a valid value: "skips the case"
	Informational   bool   // changes neither what is asked nor how it is graded
	Unsupported     string // why a run of ours differs from what the key asks for, as a clause; "" if it does not
	LeavesUngraded  bool   // with Unsupported: the run leaves the cases ungraded that need the key
}

// Names returns the key and its aliases.
func (f *Field) Names() []string { return append([]string{f.Key}, f.Aliases...) }

// With returns a copy of the field after a change.
func (f *Field) With(change func(*Field)) *Field {
	copied := *f
	change(&copied)
	return &copied
}

// TypeAs returns the type of the field under one of its names.
func (f *Field) TypeAs(name string) *Type {
	if f.AliasType != nil && name != f.Key {
		return f.AliasType
	}
	return f.Type
}

// HasVariants reports whether the type is a mapping with variants.
func (t *Type) HasVariants() bool { return t.Kind == Map && len(t.Choices) > 0 }

// VariantTags returns the tag values that select a variant, with their synonyms.
func (t *Type) VariantTags(variant *Type) (values []string) {
	values = slices.Clone(variant.TagValues)
	for _, v := range t.Field(t.Tag).Type.KnownValues {
		if slices.Contains(variant.TagValues, v.Text) {
			values = append(values, v.Synonyms...)
		}
	}
	return values
}

// VariantByKey returns the variant of a mapping without a tag, by the keys that it has;
// nil if there is none.
func (t *Type) VariantByKey(hasKey func(key string) bool) (chosen *Type) {
	for _, c := range t.Choices {
		switch {
		case c.MarkerKey != "" && slices.ContainsFunc(c.Field(c.MarkerKey).Names(), hasKey):
			return c
		case c.MarkerKey == "" && c.TagValues == nil:
			chosen = c
		}
	}
	return chosen
}

// VariantByTag returns the variant that a tag value selects; nil if there is none.
func (t *Type) VariantByTag(tag string) *Type {
	for _, c := range t.Choices {
		if slices.Contains(c.TagValues, tag) {
			return c
		}
	}
	return nil
}

// Field returns the field with a key or alias; nil if there is none.
func (t *Type) Field(name string) *Field {
	for _, f := range t.Fields {
		if f.Key == name || slices.Contains(f.Aliases, name) {
			return f
		}
	}
	return nil
}

// Types without parameters.
var (
	AnyValue       = &Type{Kind: Any}
	String         = &Type{Kind: Text}
	NonEmptyString = &Type{Kind: Text, NonEmpty: true}
	Base64         = &Type{Kind: Text, IsBase64: true}
	NumberText     = &Type{Kind: Text, IsNumber: true}
	Boolean        = &Type{Kind: Bool}
	AnyNumber      = &Type{Kind: Number}
	Integer        = &Type{Kind: Number, IsInteger: true}
	NonNegative    = &Type{Kind: Number, Min: new(float64)}
	PositiveNumber = &Type{Kind: Number, Min: new(float64), ExcludesMin: true}
	Object         = &Type{Kind: Map, OtherValues: AnyValue}
)

// IntegerBetween is a whole number from lo to hi, inclusive.
func IntegerBetween(lo, hi float64) *Type {
	return &Type{Kind: Number, IsInteger: true, Min: &lo, Max: &hi}
}

// IntegerFrom is a whole number of at least lo.
func IntegerFrom(lo float64) *Type { return &Type{Kind: Number, IsInteger: true, Min: &lo} }

// NumberBetween is a number from lo to hi, inclusive.
func NumberBetween(lo, hi float64) *Type { return &Type{Kind: Number, Min: &lo, Max: &hi} }

// PositiveUpTo is a number above 0 and up to hi, inclusive.
func PositiveUpTo(hi float64) *Type {
	return &Type{Kind: Number, Min: new(float64), ExcludesMin: true, Max: &hi}
}

// ListOf is a list of any length.
func ListOf(items *Type) *Type { return &Type{Kind: List, Items: items} }

// NonEmptyListOf is a list of at least one item.
func NonEmptyListOf(items *Type) *Type { return &Type{Kind: List, Items: items, MinLength: 1} }

// MapOf is a mapping with any keys.
func MapOf(values *Type) *Type { return &Type{Kind: Map, OtherValues: values} }

// UnionOf is one of several types.
func UnionOf(choices ...*Type) *Type { return &Type{Kind: Union, Choices: choices} }

// EnumOf is one of several texts.
func EnumOf(values ...Value) *Type { return &Type{Kind: Text, Values: values} }

// Values returns values without descriptions.
func Values(texts []string) (values []Value) {
	for _, text := range texts {
		values = append(values, Value{Text: text})
	}
	return values
}

// Texts returns the texts of values.
func Texts(values []Value) (texts []string) {
	for _, v := range values {
		texts = append(texts, v.Text)
	}
	return texts
}

// FindSynonym returns the value that other versions or tools call text, or "".
func FindSynonym(text string, values []Value) string {
	for _, v := range values {
		if slices.Contains(v.Synonyms, text) {
			return v.Text
		}
	}
	return ""
}

// WithFields returns a copy of a mapping with a name, and with fields in place of those of the same key or
// at the end.
func (t *Type) WithFields(name string, fields ...*Field) *Type {
	copied := *t
	copied.Name, copied.Fields = name, slices.Clone(t.Fields)
	for _, f := range fields {
		at := slices.IndexFunc(copied.Fields, func(old *Field) bool { return old.Key == f.Key })
		if at < 0 {
			copied.Fields = append(copied.Fields, f)
		} else {
			copied.Fields[at] = f
		}
	}
	return &copied
}

// Keys returns the keys of a mapping's fields, without their aliases.
func (t *Type) Keys() (keys []string) {
	for _, f := range t.Fields {
		keys = append(keys, f.Key)
	}
	return keys
}

// Walk visits t and every type in it once, in the order of the table.
func Walk(t *Type, visit func(*Type)) {
	seen := map[*Type]bool{}
	var walk func(*Type)
	walk = func(t *Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		visit(t)
		for _, f := range t.Fields {
			walk(f.Type)
			walk(f.AliasType)
		}
		walk(t.First)
		walk(t.Items)
		walk(t.OtherValues)
		for _, c := range t.Choices {
			walk(c)
		}
	}
	walk(t)
}

// CamelCase converts a key from snake_case.
func CamelCase(key string) string {
	if !strings.Contains(key, "_") {
		return key
	}
	out, upper := make([]byte, 0, len(key)), false
	for _, c := range []byte(key) {
		if c == '_' {
			upper = true
			continue
		}
		if upper && 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		out, upper = append(out, c), false
	}
	return string(out)
}
