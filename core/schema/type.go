package schema

import "slices"

// Kind is the shape of a value.
type Kind uint8

const (
	Any Kind = iota
	Text
	Number
	Bool
	List
	Map
	Union // one of several shapes, no two alike
)

// Type is what a value may be. Which fields count is said by Kind.
type Type struct {
	Name string // of a type with a place of its own in the reference; "" if it is told in passing
	Doc  string // what it is, in Markdown; for a named type
	Kind Kind

	Values        []Value  // Text: the only ones allowed
	KnownValues   []Value  // Text: those that are known, among others
	RefusedValues []string // Text: words that are not taken although other unknown ones are
	NonEmpty      bool     // Text: at least one character that is not a space

	IsInteger   bool // Number: no fraction
	Min, Max    *float64
	ExcludesMin bool // Number: Min itself is too small

	Items     *Type // List
	MinLength int   // List
	MaxLength int   // List; 0: none

	Fields       []*Field // Map, in the order of the reference
	OtherValues  *Type    // Map: the values of all other keys; nil: there are none
	OtherNames   []string // Map: the only names that other keys may have; nil: any
	RequireAny   []string // Map: keys of which at least one must be there
	OnMissingAll string   // Map: what the runner does when none of Some is there
	OnUnknownKey string   // Map: what the runner does for a key that it does not know; "": it reads past it
	Tag          string   // Map: the key whose value chooses a variant, "" if none
	Choices      []*Type  // Union: its shapes; Map: its variants
	TagValues    []string // the values of the tag that choose this variant
	MarkerKey    string   // the key that chooses this variant where there is no tag; "": what no other variant is chosen for
}

// Value is one allowed text.
type Value struct {
	Text     string
	Doc      string
	Synonyms []string // what people write for it: other versions' and other tools' names
}

// Field is one key of a mapping.
type Field struct {
	Key             string
	Aliases         []string // other names for it; the first written in this order counts
	Misnomers       []string // what people write for it and nothing reads: other tools' names
	DeprecatedNames []string // those of its names that are read for the sake of older files only
	WinningName     string   // the name that counts before all others; "": the first in their order
	Doc             string   // one or a few sentences, in Markdown
	Type            *Type
	AliasType       *Type // what it may be under an alias; nil: the same
	Required        bool
	Nullable        bool   // null is a good value
	Default         string // as it would be written, or a few words; "" if there is none
	Example         any    // a JSON value
	AddedIn         string // the version or date that brought it, "" if it was always there
	RemovedIn       string // the version or date that took it away, "" if it stands
	ReplacedBy      string // what to write instead of a retired key
	OnInvalid       string // what the runner does without a good value: "skips the case"
}

// Names are the key and its aliases.
func (f *Field) Names() []string { return append([]string{f.Key}, f.Aliases...) }

// TypeAs is what the field may be under one of its names.
func (f *Field) TypeAs(name string) *Type {
	if f.AliasType != nil && name != f.Key {
		return f.AliasType
	}
	return f.Type
}

// HasVariants reports whether the type is a mapping of several kinds.
func (t *Type) HasVariants() bool { return t.Kind == Map && len(t.Choices) > 0 }

// VariantTags are the values of the tag by which a variant is chosen: its own, and other
// names of these.
func (t *Type) VariantTags(variant *Type) (values []string) {
	values = slices.Clone(variant.TagValues)
	for _, v := range t.Field(t.Tag).Type.KnownValues {
		if slices.Contains(variant.TagValues, v.Text) {
			values = append(values, v.Synonyms...)
		}
	}
	return values
}

// VariantByKey is the variant of a mapping without a tag, by whether it has a key;
// nil if there is none.
func (t *Type) VariantByKey(hasKey func(key string) bool) (chosen *Type) {
	for _, c := range t.Choices {
		switch {
		case c.MarkerKey != "" && hasKey(c.MarkerKey):
			return c
		case c.MarkerKey == "" && c.TagValues == nil:
			chosen = c
		}
	}
	return chosen
}

// Field finds a field by its key or an alias; nil if there is none.
func (t *Type) Field(name string) *Field {
	for _, f := range t.Fields {
		if f.Key == name || slices.Contains(f.Aliases, name) {
			return f
		}
	}
	return nil
}

// VariantByTag is the choice that a tag's value names; nil if none does.
func (t *Type) VariantByTag(tag string) *Type {
	for _, c := range t.Choices {
		if slices.Contains(c.TagValues, tag) {
			return c
		}
	}
	return nil
}
