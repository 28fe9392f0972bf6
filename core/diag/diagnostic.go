package diag

import "github.com/rubric-ls/rubric/core/text"

// Severity says how much a finding matters, in the order of the protocol.
type Severity uint8

const (
	Error   Severity = iota + 1 // a runner would reject, drop or misread it
	Warning                     // probably not what you meant
	Info                        // unclear to a judge
	Hint                        // a simpler way; carries a fix
)

var severityNames = [...]string{Error: "error", Warning: "warning", Info: "info", Hint: "hint"}

// String is the severity's name in every report.
func (s Severity) String() string {
	if int(s) < len(severityNames) && s > 0 {
		return severityNames[s]
	}
	return "unknown"
}

// ParseSeverity is the inverse of String.
func ParseSeverity(name string) (Severity, bool) {
	for s, n := range severityNames {
		if n == name && n != "" {
			return Severity(s), true
		}
	}
	return 0, false
}

// Diagnostic is one finding.
type Diagnostic struct {
	Code     string // the rule's id, stable for ever
	Severity Severity
	Span     text.Span
	Path     string // evalcases[0].id, "" at the root
	Message  string // one sentence, lower case, no final period
	Notes    []Note
	Fixes    []Fix
	Tags     []Tag
}

// Note is a second place that explains the first.
type Note struct {
	Span    text.Span
	Message string
	Source  *text.Source // the text that Span is of; nil for the finding's own
}

// SourceOr is the text that a note is about, of a finding in src.
func (n Note) SourceOr(src *text.Source) *text.Source {
	if n.Source != nil {
		return n.Source
	}
	return src
}

// Fix is a set of edits that mends a finding.
type Fix struct {
	Title string
	Edits []text.Edit
	Safe  bool // never changes what is graded beyond mending the fault
}

// Tag marks text that editors draw in their own way.
type Tag uint8

const (
	Unnecessary Tag = 1 // has no effect
	Deprecated  Tag = 2
)
