// Package conform compares a YAML tree with a field table of package schema. It returns
// mismatches: which key is unknown or missing, which value has the wrong type or is out of
// bounds, and where. Rules of package lint turn them into messages.
//
// A broken text may have lost lines, so a mapping that the parser recovered is never
// reported for missing keys.
package conform

import (
	"cmp"
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Check returns the mismatches between n and t in the order of the text. It follows
// aliases, so the aliases of n must be bounded.
func Check(t *schema.Type, n *yaml.Node) []Mismatch {
	c := &checker{}
	c.checkValue(t, n, location{})
	return c.mismatches
}

// CheckField is [Check] for the value n of a key in a mapping of type owner. It returns
// nil if owner does not have the key.
func CheckField(owner *schema.Type, key, n *yaml.Node) []Mismatch {
	field := owner.Field(key.Value)
	if field == nil {
		return nil
	}
	c := &checker{}
	c.checkValue(field.TypeAs(key.Value), n, location{owner: owner, field: field, key: key})
	return c.mismatches
}

type checker struct {
	mismatches []Mismatch
	around     []location // the mappings around a value, outermost first; key is the mapping itself
}

// location is the place of a value in its mapping.
type location struct {
	owner *schema.Type
	field *schema.Field
	key   *yaml.Node // the key of the value
}

func (c *checker) report(m Mismatch, loc location) {
	m.Owner, m.Field = loc.owner, loc.field
	if loc.key != nil && m.Key == "" {
		m.Key = loc.key.Value
	}
	c.mismatches = append(c.mismatches, m)
}

func (c *checker) checkValue(t *schema.Type, n *yaml.Node, loc location) {
	if t.Kind == schema.Any {
		return
	}
	target := n.Follow()
	if target == nil || target.Recovered && target.IsNull() {
		return // the parser has reported it
	}
	if target.IsNull() {
		m := Mismatch{Kind: NoValue, Node: n, Span: n.Span, Type: t}
		if n.Span.Empty() && loc.key != nil {
			m.Span = loc.key.Span
		}
		c.report(m, loc)
		return
	}
	matched := matchType(t, target)
	if matched == nil {
		c.report(Mismatch{Kind: WrongType, Node: n, Span: n.Span, Type: t}, loc)
		return
	}
	switch matched.Kind {
	case schema.Text:
		c.checkText(matched, n, loc)
	case schema.Number:
		c.checkNumber(matched, n, loc)
	case schema.List:
		c.checkList(matched, n, loc)
	case schema.Map:
		c.checkMapping(matched, n)
	}
}

// matchType returns t, or the choice of a union, whose kind is that of the value; nil if
// there is none.
func matchType(t *schema.Type, n *yaml.Node) *schema.Type {
	if t.Kind == schema.Union {
		for _, choice := range t.Choices {
			if s := matchType(choice, n); s != nil {
				return s
			}
		}
		return nil
	}
	fits := false
	switch t.Kind {
	case schema.Any:
		fits = true
	case schema.Text:
		_, fits = n.Str()
	case schema.Number:
		_, fits = n.Number()
	case schema.Bool:
		_, fits = n.Bool()
	case schema.List:
		fits = n.IsSeq()
	case schema.Map:
		fits = n.IsMap()
	}
	if !fits {
		return nil
	}
	return t
}

func (c *checker) checkText(t *schema.Type, n *yaml.Node, loc location) {
	value := n.Text()
	m := Mismatch{Node: n, Span: n.Span, Type: t}
	switch {
	case t.Values != nil && !hasValue(t.Values, value):
		m.Kind, m.Suggestion = UnknownValue, suggestValue(value, t.Values)
	case slices.Contains(t.RefusedValues, value):
		m.Kind, m.Suggestion = UnknownValue, schema.FindSynonym(value, t.KnownValues)
	case t.KnownValues != nil && !hasValue(t.KnownValues, value):
		m.Kind, m.Suggestion = UnlistedValue, suggestValue(value, t.KnownValues)
	case t.NonEmpty && strings.TrimSpace(value) == "":
		m.Kind = BlankText
	case t.IsBase64 && !isBase64(value), t.IsNumber && !isNumber(value):
		m.Kind = WrongType
	default:
		return
	}
	c.report(m, loc)
}

// isBase64 reports whether a text is bytes in the standard or the URL-safe alphabet, with or without padding.
func isBase64(text string) bool {
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	_, err := base64.RawStdEncoding.Strict().DecodeString(standard)
	return err == nil
}

// isNumber reports whether a text is empty, a number, or has a variable.
func isNumber(text string) bool {
	text = strings.TrimSpace(text)
	_, err := strconv.ParseFloat(text, 64)
	return text == "" || err == nil || strings.Contains(text, "${")
}

func hasValue(values []schema.Value, text string) bool {
	return slices.ContainsFunc(values, func(v schema.Value) bool { return v.Text == text })
}

// suggestValue returns the value that text is a synonym or a misspelling of, or "".
func suggestValue(text string, values []schema.Value) string {
	return cmp.Or(schema.FindSynonym(text, values), spell.Nearest(text, schema.Texts(values)))
}

func (c *checker) checkNumber(t *schema.Type, n *yaml.Node, loc location) {
	value, _ := n.Number()
	m := Mismatch{Node: n, Span: n.Span, Type: t}
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0), t.Min != nil && (value < *t.Min || t.ExcludesMin && value == *t.Min), t.Max != nil && value > *t.Max:
		m.Kind = OutOfBounds
	case t.IsInteger && value != math.Trunc(value):
		m.Kind = NotWhole
	default:
		return
	}
	c.report(m, loc)
}

func (c *checker) checkList(t *schema.Type, n *yaml.Node, loc location) {
	items := n.List()
	if target := n.Follow(); !target.Recovered && (len(items) < t.MinLength || t.MaxLength > 0 && len(items) > t.MaxLength) {
		c.report(Mismatch{Kind: WrongLength, Node: n, Span: n.Span, Type: t}, loc)
	}
	for i, item := range items {
		expected := t.Items
		if i == 0 && t.First != nil {
			expected = t.First
		}
		if !t.NullItems || !item.Follow().IsNull() {
			c.checkValue(expected, item, location{owner: loc.owner, field: loc.field})
		}
	}
}

func (c *checker) checkMapping(t *schema.Type, n *yaml.Node) {
	if t.HasVariants() {
		if t = c.chooseVariant(t, n); t == nil {
			return
		}
	}
	written := map[*schema.Field]*yaml.Pair{}
	c.around = append(c.around, location{owner: t, key: n})
	for _, p := range n.Entries() {
		c.checkPair(t, n, p, written)
	}
	c.around = c.around[:len(c.around)-1]
	if n.Follow().Recovered {
		return
	}
	for _, f := range t.Fields {
		if f.Required && written[f] == nil {
			c.report(Mismatch{Kind: MissingKey, Node: n, Span: firstKeySpan(n), Type: f.Type, Key: f.Key}, location{owner: t, field: f})
		}
	}
	if t.RequireAny != nil && !slices.ContainsFunc(t.RequireAny, func(key string) bool { return n.Get(key) != nil }) {
		c.report(Mismatch{Kind: MissingAnyOf, Node: n, Span: firstKeySpan(n), Type: t}, location{owner: t})
	}
}

// chooseVariant returns the variant of t that the tag of n selects, or its keys if it has
// no tag, or t itself if no key selects one. A synonym of a tag value selects too. If the tag is missing or invalid,
// chooseVariant reports that and returns nil.
func (c *checker) chooseVariant(t *schema.Type, n *yaml.Node) *schema.Type {
	tag := n.Get(t.Tag)
	if t.Tag == "" || tag == nil {
		if v := t.VariantByKey(func(key string) bool { return n.Get(key) != nil || isMisspelt(t, n, key) }); v != nil {
			return v
		}
	}
	if t.Tag == "" {
		return t
	}
	field := t.Field(t.Tag)
	if tag == nil {
		if !n.Follow().Recovered {
			c.report(Mismatch{Kind: MissingKey, Node: n, Span: firstKeySpan(n), Type: field.Type, Key: t.Tag}, location{owner: t, field: field})
		}
		return nil
	}
	value, ok := tag.Str()
	if v := t.VariantByTag(value); ok && v != nil {
		return v
	}
	if synonym := schema.FindSynonym(value, field.Type.KnownValues); ok && synonym != "" {
		return t.VariantByTag(synonym) // checking the variant reports the tag
	}
	c.checkValue(field.Type, tag, location{owner: t, field: field, key: n.Pair(t.Tag).Key})
	return nil
}

// isMisspelt reports whether a mapping has the key that selects a variant of its type under a misspelt name.
func isMisspelt(t *schema.Type, n *yaml.Node, key string) bool {
	i := slices.IndexFunc(t.Choices, func(c *schema.Type) bool { return c.MarkerKey == key })
	return i >= 0 && slices.ContainsFunc(n.Entries(), func(p *yaml.Pair) bool {
		return isSlip(t.Choices[i].Field(key), Mismatch{Node: n, Key: p.Key.Value, Suggestion: key}, p.Value)
	})
}

// checkPair checks one entry of a mapping. written has the effective entry of each field
// so far.
func (c *checker) checkPair(t *schema.Type, n *yaml.Node, p *yaml.Pair, written map[*schema.Field]*yaml.Pair) {
	key := p.Key.Follow()
	if key == nil || key.Kind != yaml.Scalar {
		c.report(Mismatch{Kind: UnknownKey, Node: n, Span: p.Key.Span}, location{owner: t})
		return
	}
	f := t.Field(key.Value)
	m := Mismatch{Node: n, Span: p.Key.Span, Key: key.Value}
	switch {
	case f == nil:
		c.checkOtherKey(t, p, m)
	case f.RemovedIn != "":
		m.Kind, m.Suggestion = RemovedKey, f.ReplacedBy
		c.report(m, location{owner: t, field: f})
	default:
		effective, ignored := p, written[f]
		if ignored != nil && namePriority(f, ignored) < namePriority(f, p) {
			effective, ignored = ignored, p
		}
		if ignored != nil && ignored.Key.Value != effective.Key.Value {
			m.Kind, m.Span, m.Key, m.OtherSpan = TwoNames, ignored.Key.Span, ignored.Key.Value, effective.Key.Span
			c.report(m, location{owner: t, field: f})
		}
		written[f] = effective
		if slices.Contains(f.DeprecatedNames, key.Value) {
			m.Kind, m.Suggestion = DeprecatedName, currentName(f)
			c.report(m, location{owner: t, field: f})
		}
		if f.Unsupported != "" && !isNeutral(p.Value) {
			m.Kind = NotSupported
			c.report(m, location{owner: t, field: f})
		}
		c.checkValue(f.TypeAs(key.Value), p.Value, location{owner: t, field: f, key: p.Key})
	}
}

// isNeutral reports whether a value asks for nothing: null, false, 1 or an empty list.
func isNeutral(n *yaml.Node) bool {
	number, isNumber := n.Number()
	flag, isBool := n.Bool()
	return n.IsNull() || isNumber && number == 1 || isBool && !flag || n.IsSeq() && len(n.List()) == 0
}

// currentName returns the first name of a field that is not deprecated, or "".
func currentName(f *schema.Field) string {
	for _, name := range f.Names() {
		if !slices.Contains(f.DeprecatedNames, name) {
			return name
		}
	}
	return ""
}

// namePriority ranks the field name that a pair uses. The lowest number is effective.
func namePriority(f *schema.Field, p *yaml.Pair) int {
	name := p.Key.Follow().Value
	if name == f.WinningName {
		return -1
	}
	return slices.Index(f.Names(), name)
}

// checkOtherKey checks an entry whose key is not a field of t.
func (c *checker) checkOtherKey(t *schema.Type, p *yaml.Pair, m Mismatch) {
	isOther := t.OtherValues != nil && (t.OtherNames == nil || slices.Contains(t.OtherNames, m.Key))
	if m.Kind = UnknownKey; !isOther || t.OtherValues.Kind == schema.Any && t.OtherNames == nil && len(t.Fields) > 0 {
		m.Suggestion = suggestKey(t, m.Key)
	}
	if m.Suggestion == "" || isOther && !isSlip(t.Field(m.Suggestion), m, p.Value) {
		m.Suggestion, m.Upper = "", c.upperOwner(m.Key)
		if isOther && (m.Upper == nil || !isMisplaced(m.Upper, p)) {
			c.checkValue(t.OtherValues, p.Value, location{owner: t, key: p.Key})
			return
		}
	}
	c.report(m, location{owner: t})
}

// isMisplaced reports whether an entry of a mapping that may have any key is one of the mapping up around it all the same:
// a list or a mapping that is valid there, where not just any is.
func isMisplaced(up *schema.Type, p *yaml.Pair) bool {
	t := matchType(up.Field(p.Key.Value).Type, p.Value)
	isStrict := t != nil && (len(p.Value.List()) > 0 || t.Kind == schema.Map && t.OtherValues == nil)
	return isStrict && t.Kind != schema.Any && len(CheckField(up, p.Key, p.Value)) == 0
}

// upperOwner returns the type of the nearest mapping around that may have a key that changes what is graded, if that has
// none, or nil.
func (c *checker) upperOwner(key string) *schema.Type {
	for i := len(c.around) - 1; i >= 0; i-- {
		up := c.around[i]
		if f := up.owner.Field(key); f != nil && f.RemovedIn == "" && !f.Informational && key != "id" && key != "name" {
			if up.key.Get(key) != nil {
				return nil
			}
			return up.owner
		}
	}
	return nil
}

// isSlip reports whether a key that its mapping may have is f's all the same: it differs by one letter, the mapping has
// no f, and if it is the plural or f has a list of values, the value fits.
func isSlip(f *schema.Field, m Mismatch, value *yaml.Node) bool {
	isPresent := slices.ContainsFunc(f.Names(), func(name string) bool { return m.Node.Get(name) != nil })
	if word := value.Text(); isPresent || f.Type.Values != nil && !hasValue(f.Type.Values, word) {
		return false
	}
	return spell.IsSlip(m.Key, m.Suggestion) && (m.Key != m.Suggestion+"s" || matchType(f.Type, value) != nil)
}

// suggestKey returns the key of t that key is a misnomer or a misspelling of, or "".
func suggestKey(t *schema.Type, key string) string {
	names := slices.Clone(t.OtherNames)
	for _, f := range t.Fields {
		if slices.Contains(f.Misnomers, key) {
			return f.Key
		}
		if f.RemovedIn == "" {
			names = append(names, f.Names()...)
		}
	}
	return spell.Nearest(key, slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(key, "_"+name) })) // `max_tool_calls` is no `tool_calls`
}

// firstKeySpan returns the span that stands for a whole mapping: its first key.
func firstKeySpan(n *yaml.Node) text.Span {
	if target := n.Follow(); n.Kind != yaml.Alias && len(target.Pairs) > 0 {
		return target.Pairs[0].Key.Span
	}
	return n.Span
}

// Kind is a kind of mismatch.
type Kind string

const (
	UnknownKey     Kind = "unknown-key"   // Suggestion is the nearest known key
	OtherVersion   Kind = "other-version" // a key of another version; set by the dialect. Suggestion is the name in this version
	RemovedKey     Kind = "retired-key"   // Field says since when and what replaces it
	DeprecatedName Kind = "older-name"    // a name that is read for older files; Suggestion is the current one, "" if there is none
	MissingKey     Kind = "missing-key"   // Owner is the mapping, Field the missing key
	MissingAnyOf   Kind = "none-of"       // Owner has none of the keys of which it needs one
	TwoNames       Kind = "two-names"     // two names of one field; OtherSpan is the effective one
	WrongType      Kind = "wrong-type"    // Type is the expected type
	NoValue        Kind = "absent"        // a key without a value
	UnknownValue   Kind = "unknown-value" // not an allowed value
	UnlistedValue  Kind = "odd-value"     // not a known value, but allowed
	OutOfBounds    Kind = "out-of-bounds" // a number
	NotWhole       Kind = "not-whole"     // a number
	BlankText      Kind = "blank"         // a text of white space
	WrongLength    Kind = "wrong-length"  // a list
	NotSupported   Kind = "not-supported" // a key that our runs do not follow; Field says why
)

// Mismatch is one place where a tree does not fit its table.
type Mismatch struct {
	Kind          Kind
	Span          text.Span     // where to show it
	Node          *yaml.Node    // the value concerned; the mapping for mismatches of keys
	Owner         *schema.Type  // the type of the surrounding mapping; nil at the root
	Field         *schema.Field // the field concerned, or that of the surrounding list; nil for unknown keys
	Type          *schema.Type  // the expected type of the value
	Key           string        // the key as written
	Suggestion    string        // the nearest correct word, "" if none is near
	Upper         *schema.Type  // for UnknownKey without Suggestion: the type of the mapping around it that may have the key; nil if none
	OtherSpan     text.Span     // a second place
	KnownVersions []string      // for OtherVersion: versions that know the key, oldest first; empty if it is older
	IsMoved       bool          // for OtherVersion: the value has another form or place in this version
	NewParent     string        // for OtherVersion: the mapping of Suggestion, "" if it is this one
	IsRefused     bool          // the runner refuses the value and its surroundings; set by the dialect
}

// IsHarmless reports whether the runner accepts the value: it is only unlisted, deprecated, or not
// supported by us.
func (m Mismatch) IsHarmless() bool {
	return m.Kind == UnlistedValue || m.Kind == DeprecatedName || m.Kind == NotSupported
}
