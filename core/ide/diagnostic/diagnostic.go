// Package diagnostic limits the diagnostics that an editor shows of one file.
package diagnostic

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// source is the name that editors show next to a diagnostic.
const source = "rubric"

// List returns the diagnostics of a file: the most severe ones and those near a span. duplicates are
// the case ids that other files define too. The list leaves room for failed gates. If diagnostics or
// gates are left out, the first entry says so.
func List(f *ide.File, near text.Span, duplicates lint.Duplicates, gates, moreGates int) (list []ide.Finding, truncated bool) {
	top, more := f.TopDiagnostics(MaxDiagnostics-gates, near, duplicates)
	list = make([]ide.Finding, 0, len(top)+gates+1)
	if truncated = more+moreGates > 0; truncated {
		list = append(list, NewNote(FirstLine(f), diag.Info, TruncatedCode, truncatedMessage(more, moreGates)))
	}
	for _, d := range top {
		list = append(list, New(f, d, Underlined(f, d.Span)))
	}
	return list, truncated
}

// FirstLine returns the range of a file's first line.
func FirstLine(f *ide.File) text.Range {
	return f.SpanRange(text.Span{End: lineEnd(f, 0)})
}

// Underlined returns the range of a span, up to the end of its first line: editors would underline the
// indentation of the others.
func Underlined(f *ide.File, span text.Span) text.Range {
	rng := f.SpanRange(span)
	if end := lineEnd(f, rng.Start.Line); span.Start < end && end < span.End {
		return f.SpanRange(text.Span{Start: span.Start, End: end})
	}
	return rng
}

// lineEnd returns the offset of the end of a line.
func lineEnd(f *ide.File, line int) int {
	const most = 1<<31 - 1
	return f.Source().PositionOffset(text.Position{Line: line, Character: most}, text.UTF8)
}

// New converts a diagnostic of a file, with rng as its range.
func New(f *ide.File, d diag.Diagnostic, rng text.Range) ide.Finding {
	out := NewNote(rng, d.Severity, d.Code, d.Message)
	out.CodeDescription.Href = lint.PageURL(d.Code) // some clients use it without declaring support
	for _, n := range d.Notes {
		if !f.Client.HasRelatedInformation {
			break
		}
		location := ide.Location{URI: f.URI}
		if n.Source == nil {
			location.Range = f.SpanRange(n.Span)
		} else {
			location = ide.Location{URI: f.Host.FileURI(n.Source.Name), Range: n.Source.SpanRange(n.Span, f.Client.Encoding)}
		}
		out.RelatedInformation = append(out.RelatedInformation, ide.RelatedFinding{Location: location, Message: n.Message})
	}
	for _, t := range d.Tags {
		if tag := int(t); f.Client.HasTag == nil || f.Client.HasTag(tag) { // same numbers as in the protocol
			out.Tags = append(out.Tags, tag)
		}
	}
	return out
}

// NewNote returns a diagnostic without fixes or related places. Hosts use it for what no rule reports,
// such as a failed gate.
func NewNote(rng text.Range, severity diag.Severity, code, message string) ide.Finding {
	return ide.Finding{Range: rng, Severity: int(severity), Code: code, Source: source, Message: message} // same numbers as in the protocol
}

// MaxDiagnostics bounds the diagnostics of a file. VS Code shows at most 1,000, including the note
// that there are more, and every keystroke sends all of them.
const MaxDiagnostics = 999

// TruncatedCode is the code of the note that not all diagnostics are shown. It is not a rule.
const TruncatedCode = "not-all-shown"

// truncatedMessage returns the note for a number of omitted diagnostics and failed gates.
func truncatedMessage(findings, gates int) string {
	var parts []string
	if findings > 0 {
		parts = append(parts, fmt.Sprintf("%d more %s", findings, diag.Plural(findings, "finding", "findings")))
	}
	if gates > 0 {
		parts = append(parts, fmt.Sprintf("%d more failed %s", gates, diag.Plural(gates, "gate", "gates")))
	}
	return fmt.Sprintf("%s %s not shown, less severe or far from here; `rubric check` prints all findings",
		strings.Join(parts, " and "), diag.Plural(findings+gates, "is", "are"))
}
