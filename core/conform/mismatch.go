// Package conform compares a YAML tree with a field table of package schema. It returns
// mismatches: which key is unknown or missing, which value has the wrong type or is out of
// bounds, and where. Rules of package lint turn them into messages.
//
// A broken text may have lost lines, so a mapping that the parser recovered is never
// reported for missing keys.
package conform

import (
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

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
