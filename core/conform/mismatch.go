package conform

import (
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kind is a way of not fitting.
type Kind string

const (
	UnknownKey     Kind = "unknown-key"   // Near is the nearest right one
	OtherVersion   Kind = "other-version" // an unknown key that another version knows; set by the dialect, Near is this one's name
	RemovedKey     Kind = "retired-key"   // Field says since when and what instead
	DeprecatedName Kind = "older-name"    // a name that is read for the sake of older files; Near is the new one, "" if there is none
	MissingKey     Kind = "missing-key"   // Owner is the mapping, Field what it lacks
	MissingAnyOf   Kind = "none-of"       // Owner lacks all keys of which it needs some
	TwoNames       Kind = "two-names"     // of one field; Other is the one that counts
	WrongType      Kind = "wrong-type"    // Type is what is wanted
	NoValue        Kind = "absent"        // a key without a value
	UnknownValue   Kind = "unknown-value" // none of those allowed
	UnlistedValue  Kind = "odd-value"     // none of those known, but allowed
	OutOfBounds    Kind = "out-of-bounds" // a number
	NotWhole       Kind = "not-whole"     // a number
	BlankText      Kind = "blank"         // a text without a letter
	WrongLength    Kind = "wrong-length"  // a list
)

// Mismatch is one place where a tree does not fit its table.
type Mismatch struct {
	Kind          Kind
	Span          text.Span     // where it shows
	Node          *yaml.Node    // the value concerned: for keys, the mapping
	Owner         *schema.Type  // the type of the mapping it is in; nil for the root
	Field         *schema.Field // the field concerned, or whose list it is in; nil for keys that are none
	Type          *schema.Type  // what is wanted of the value
	Key           string        // the key as written
	Suggestion    string        // the nearest right word, "" if none is near
	OtherSpan     text.Span     // a second place
	KnownVersions []string      // of OtherVersion: the versions that know the key, oldest first; none if it is older
	IsMoved       bool          // of OtherVersion: what is under it has another form or place here
	NewParent     string        // of OtherVersion: the mapping that Near stands in, "" if it is this one
	// IsRefused reports that the runner refuses the value and what it is in. The dialect sets it.
	IsRefused bool
}

// IsHarmless reports whether what is written fits all the same: it is merely not
// known, or old.
func (m Mismatch) IsHarmless() bool { return m.Kind == UnlistedValue || m.Kind == DeprecatedName }
