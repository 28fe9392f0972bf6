package schema

// The shapes that need no more than a line to say.
var (
	AnyValue       = &Type{Kind: Any}
	String         = &Type{Kind: Text}
	NonEmptyString = &Type{Kind: Text, NonEmpty: true}
	Boolean        = &Type{Kind: Bool}
	AnyNumber      = &Type{Kind: Number}
	NonNegative    = &Type{Kind: Number, Min: new(float64)}
	PositiveNumber = &Type{Kind: Number, Min: new(float64), ExcludesMin: true}
	Object         = &Type{Kind: Map, OtherValues: AnyValue}
)

// IntegerBetween is a whole number from lo to hi, both included.
func IntegerBetween(lo, hi float64) *Type {
	return &Type{Kind: Number, IsInteger: true, Min: &lo, Max: &hi}
}

// IntegerFrom is a whole number from lo on.
func IntegerFrom(lo float64) *Type { return &Type{Kind: Number, IsInteger: true, Min: &lo} }

// NumberBetween is a number from lo to hi, both included.
func NumberBetween(lo, hi float64) *Type { return &Type{Kind: Number, Min: &lo, Max: &hi} }

// PositiveUpTo is a number above 0, hi included.
func PositiveUpTo(hi float64) *Type {
	return &Type{Kind: Number, Min: new(float64), ExcludesMin: true, Max: &hi}
}

// ListOf is a list of any length.
func ListOf(items *Type) *Type { return &Type{Kind: List, Items: items} }

// NonEmptyListOf is a list of at least one.
func NonEmptyListOf(items *Type) *Type { return &Type{Kind: List, Items: items, MinLength: 1} }

// MapOf is a mapping from any names.
func MapOf(values *Type) *Type { return &Type{Kind: Map, OtherValues: values} }

// UnionOf is one of several shapes.
func UnionOf(choices ...*Type) *Type { return &Type{Kind: Union, Choices: choices} }

// EnumOf is one of some texts.
func EnumOf(values ...Value) *Type { return &Type{Kind: Text, Values: values} }

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
		walk(t.Items)
		walk(t.OtherValues)
		for _, c := range t.Choices {
			walk(c)
		}
	}
	walk(t)
}
