// Package diag defines diagnostics as data: where, how severe, what, and how to fix it. It
// also renders a diagnostic for a terminal.
//
// Package lint creates the diagnostics of rules, and every rule has a page. Hosts add their own, such
// as failed gates.
package diag

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
)

// Severity is the severity of a diagnostic, with the numbers of LSP.
type Severity uint8

const (
	Error   Severity = iota + 1 // a runner rejects, drops or misreads something
	Warning                     // probably a mistake
	Info                        // unclear to a judge
	Hint                        // there is a simpler way; has a fix
)

var severityNames = [...]string{Error: "error", Warning: "warning", Info: "info", Hint: "hint"}

// String returns the name that reports use.
func (s Severity) String() string {
	if int(s) < len(severityNames) && s > 0 {
		return severityNames[s]
	}
	return "unknown"
}

// ParseSeverity is the inverse of String.
func ParseSeverity(name string) (Severity, bool) {
	i := slices.Index(severityNames[:], name)
	return Severity(max(i, 0)), i > 0
}

// Diagnostic is one problem in a file.
type Diagnostic struct {
	Code     string // the rule id; it never changes
	Severity Severity
	Span     text.Span
	Path     string // evalcases[0].id; "" at the root, and if the host shows no paths
	Message  string // one sentence, lower case, no final period
	Notes    []Note
	Fixes    []Fix
	Tags     []Tag
}

// Note is a second place that explains a diagnostic.
type Note struct {
	Span    text.Span
	Message string
	Source  *text.Source // the text of Span; nil for that of the diagnostic
}

// SourceOr returns the text of the note; src is that of the diagnostic.
func (n Note) SourceOr(src *text.Source) *text.Source { return cmp.Or(n.Source, src) }

// Fix is a set of edits that fixes a diagnostic.
type Fix struct {
	Title string
	Edits []text.Edit
	Safe  bool // changes grading only as far as the fault does
}

// Tag makes editors draw the text in a special way. The numbers are those of LSP.
type Tag uint8

const (
	Unnecessary Tag = 1 // has no effect
	Deprecated  Tag = 2
)

// MapSpans returns a copy of d with move applied to every span of its own text.
func (d Diagnostic) MapSpans(move func(text.Span) text.Span) Diagnostic {
	d.Span = move(d.Span)
	d.Notes = slices.Clone(d.Notes)
	for i := range d.Notes {
		if n := &d.Notes[i]; n.Source == nil {
			n.Span = move(n.Span)
		}
	}
	d.Fixes = slices.Clone(d.Fixes)
	for i := range d.Fixes {
		edits := slices.Clone(d.Fixes[i].Edits)
		for j := range edits {
			edits[j].Span = move(edits[j].Span)
		}
		d.Fixes[i].Edits = edits
	}
	return d
}

// JoinList joins items as in a sentence: "a, b or c", with the conjunction before the last.
func JoinList(items []string, conjunction string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}

// CountNoun returns a number with its noun, such as "2 turns".
func CountNoun(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(n, noun, noun+"s")) }

// Plural returns the form of a word for n.
func Plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Backtick puts each item between backticks.
func Backtick(items []string) []string {
	return generic.Map(items, func(item string) string { return "`" + item + "`" })
}

// InternalError is the code of the diagnostic of a [Panic]. It belongs to no rule, so
// neither settings nor comments silence it.
const InternalError = "internal-error"

// IssuesAddress is the URL of the issue tracker.
const IssuesAddress = "https://github.com/rubric-ls/rubric/issues"

// Panic is a panic in the code that analyses a file.
type Panic struct {
	Value    any
	Location string // the function and line that panicked; "" if unknown
	Stack    []byte
}

// CatchPanic calls analyse and returns the panic in it; nil if there is none. A panic then
// costs the diagnostics of one file, and no others.
func CatchPanic(analyse func()) (caught *Panic) {
	defer func() {
		if p := recover(); p != nil {
			caught = &Panic{Value: p, Location: panicLocation(), Stack: debug.Stack()}
		}
	}()
	analyse()
	return nil
}

// panicLocation returns the function that panicked. A deferred function must call it. If
// a panic was recovered and raised again, the stack has the original one last.
func panicLocation() (location string) {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	raised := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			raised = true
		case raised && !strings.HasPrefix(f.Function, "runtime."):
			location, raised = fmt.Sprintf("%s (%s:%d)", path.Base(f.Function), path.Base(f.File), f.Line), false
		}
		if !more {
			return location
		}
	}
}

// Error returns the panic's value and location.
func (p *Panic) Error() string {
	if p.Location == "" {
		return fmt.Sprintf("internal error: %v", p.Value)
	}
	return fmt.Sprintf("internal error: %v in %s", p.Value, p.Location)
}

// Diagnostic reports the panic at a span.
func (p *Panic) Diagnostic(span text.Span) Diagnostic {
	return Diagnostic{Code: InternalError, Severity: Error, Span: span, Message: fmt.Sprintf("this file could not be analysed: %v; please report it at %s", p, IssuesAddress)}
}
