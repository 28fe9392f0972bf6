package diag

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// InternalError is the code of the finding that a [Fault] becomes. It is no rule's:
// neither settings nor comments can silence it.
const InternalError = "internal-error"

// IssuesAddress is where faults are reported.
const IssuesAddress = "https://github.com/rubric-ls/rubric/issues"

// Panic is a panic in the code that analyses a file.
type Panic struct {
	Value    any
	Location string // the function and line that panicked; "" if unknown
	Stack    []byte
}

// CatchPanic calls analyse and returns the panic in it; nil if there is none. One file's
// fault then costs that file's findings, and nobody else's.
func CatchPanic(analyse func()) (caught *Panic) {
	defer func() {
		if p := recover(); p != nil {
			caught = &Panic{Value: p, Location: panicLocation(), Stack: debug.Stack()}
		}
	}()
	analyse()
	return nil
}

// panicLocation is the function that panicked, seen from a deferred function. Of panics that
// were caught and raised again the stack holds the first one last.
func panicLocation() (where string) {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	raised := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			raised = true
		case raised && !strings.HasPrefix(f.Function, "runtime."):
			where, raised = fmt.Sprintf("%s (%s:%d)", path.Base(f.Function), path.Base(f.File), f.Line), false
		}
		if !more {
			return where
		}
	}
}

// Error says what went wrong and where.
func (p *Panic) Error() string {
	if p.Location == "" {
		return fmt.Sprintf("internal error: %v", p.Value)
	}
	return fmt.Sprintf("internal error: %v in %s", p.Value, p.Location)
}

// Diagnostic is the fault as a finding at a span.
func (p *Panic) Diagnostic(span text.Span) Diagnostic {
	return Diagnostic{Code: InternalError, Severity: Error, Span: span, Message: fmt.Sprintf("this file could not be analysed: %v; please report it at %s", p, IssuesAddress)}
}
