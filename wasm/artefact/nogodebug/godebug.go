// Package godebug takes the place of internal/godebug in both modules: what reads
// GODEBUG, which no host sets, and counts who asks for it. With the whole of it come a
// search for the call that a setting breaks and all that the runtime measures.
package godebug

// Setting is a setting of GODEBUG, which is not set.
type Setting struct{ name string }

// New is the setting of a name.
func New(name string) *Setting { return &Setting{name} }

// Name is the setting's name.
func (s *Setting) Name() string { return s.name }

// Value is always empty.
func (s *Setting) Value() string { return "" }

// IncNonDefault is never called: that is for values other than the default.
func (s *Setting) IncNonDefault() {}
