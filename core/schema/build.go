package schema

// The shapes that need no more than a line to say.
var (
	AnyValue = &Type{Kind: Any}
	String   = &Type{Kind: Text}
	Words    = &Type{Kind: Text, NonEmpty: true}
	Boolean  = &Type{Kind: Bool}
	Float    = &Type{Kind: Number}
	Positive = &Type{Kind: Number, Min: new(float64)}
	NotZero  = &Type{Kind: Number, Min: new(float64), Above: true}
	Object   = &Type{Kind: Map, Rest: AnyValue}
)

// Integer is a whole number from lo to hi, both included.
func Integer(lo, hi float64) *Type { return &Type{Kind: Number, Whole: true, Min: &lo, Max: &hi} }

// AtLeast is a whole number from lo on.
func AtLeast(lo float64) *Type { return &Type{Kind: Number, Whole: true, Min: &lo} }

// Between is a number from lo to hi, both included.
func Between(lo, hi float64) *Type { return &Type{Kind: Number, Min: &lo, Max: &hi} }

// UpTo is a number above 0, hi included.
func UpTo(hi float64) *Type { return &Type{Kind: Number, Min: new(float64), Above: true, Max: &hi} }

// ListOf is a list of any length.
func ListOf(items *Type) *Type { return &Type{Kind: List, Items: items} }

// SomeOf is a list of at least one.
func SomeOf(items *Type) *Type { return &Type{Kind: List, Items: items, MinLength: 1} }

// MapOf is a mapping from any names.
func MapOf(values *Type) *Type { return &Type{Kind: Map, Rest: values} }

// Either is one of several shapes.
func Either(choices ...*Type) *Type { return &Type{Kind: Union, Choices: choices} }

// OneOf is one of some texts.
func OneOf(values ...Value) *Type { return &Type{Kind: Text, Values: values} }

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
			walk(f.Short)
		}
		walk(t.Items)
		walk(t.Rest)
		for _, c := range t.Choices {
			walk(c)
		}
	}
	walk(t)
}
