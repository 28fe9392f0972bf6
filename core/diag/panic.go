package diag

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

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
