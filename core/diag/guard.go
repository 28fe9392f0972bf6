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

// Fault is a panic in the code that analyses a file.
type Fault struct {
	Value any
	Where string // the function and line that panicked; "" if unknown
	Stack []byte
}

// Guard calls analyse and returns the panic in it; nil if there is none. One file's
// fault then costs that file's findings, and nobody else's.
func Guard(analyse func()) (fault *Fault) {
	defer func() {
		if p := recover(); p != nil {
			fault = &Fault{Value: p, Where: origin(), Stack: debug.Stack()}
		}
	}()
	analyse()
	return nil
}

// origin is the function that panicked, seen from a deferred function. Of panics that
// were caught and raised again the stack holds the first one last.
func origin() (where string) {
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
func (f *Fault) Error() string {
	if f.Where == "" {
		return fmt.Sprintf("internal error: %v", f.Value)
	}
	return fmt.Sprintf("internal error: %v in %s", f.Value, f.Where)
}

// Finding is the fault as a finding at a span.
func (f *Fault) Finding(span text.Span) Diagnostic {
	return Diagnostic{Code: InternalError, Severity: Error, Span: span, Message: fmt.Sprintf("this file could not be analysed: %v; please report it at %s", f, IssuesAddress)}
}
