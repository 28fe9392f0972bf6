package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// faultyInput is a file in which reading a reference named fault panics, in rules and in
// lowering.
func faultyInput(path, body string) analysis.Input {
	return analysis.Input{Path: path, Text: body, ReadFile: func(name string) (string, bool) {
		if strings.Contains(name, "fault") {
			panic("a fault that a test has put here")
		}
		return "", false
	}}
}

// TestFault: a panic in a rule, in lowering a case or in reading the header becomes a
// diagnostic. Other diagnostics of the file stay.
func TestFault(t *testing.T) {
	const other = "  - id: z\n    expected_outcome: It works\n    input: Do it\n    wieght: 1\n"
	for _, c := range []struct {
		name, path, body string
		line             int // of the fault, from 0
		others           int // findings besides
	}{
		{"a rule", "a.eval.yaml", "evalcases:\n  - id: a\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: fault.md }\n" + other, 1, 1},
		{"lowering a case", "a.eval.yaml", "prompts: [Say it]\ntests:\n  - id: a\n    assert: [{ include: fault }]\n  - id: b\n    assert: [Says it]\n    wieght: 1\n", 2, 1},
		{"what stands around the cases", "a.eval.yaml", "prompts: [Say it]\nscenarios: [file://fault.yaml]\ntests:\n  - id: b\n    assert: [Says it]\n    wieght: 1\n", 0, 0},
		{"a file in one piece", "a.eval.yaml", "{prompts: [Say it], tests: [file://fault.yaml]}\n", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := faultyInput(c.path, c.body)
			a := analysis.Of(in)
			if !a.Recognised() {
				t.Error("the file would be left out of a folder's check")
			}
			if again := diag.CatchPanic(func() { a.ChunkAt(0) }); again != nil && !strings.Contains(again.Error(), "a fault that a test has put here") {
				t.Errorf("another fault: %v", again)
			}
			faults, others := 0, 0
			for _, d := range a.Diagnostics() {
				if d.Code != diag.InternalError {
					others++
					continue
				}
				faults++
				if at := a.Source().OffsetLine(d.Span.Start); at != c.line || d.Span.Empty() || d.Severity != diag.Error {
					t.Errorf("%s at line %d, %v", d.Severity, at, d.Span)
				}
				for _, want := range []string{"this file could not be analysed: internal error: a fault that a test has put here in analysis_test.", "(fault_test.go:", "please report it at https://"} {
					if !strings.Contains(d.Message, want) {
						t.Errorf("no %q in %q", want, d.Message)
					}
				}
			}
			if faults != 1 || others != c.others {
				t.Errorf("%d faults, %d others: %v", faults, others, a.Diagnostics())
			}
			if found, more := a.TopDiagnostics(100, text.Span{}, nil); len(found)+more != faults+others {
				t.Errorf("an editor is shown %d, and %d more", len(found), more)
			}
			mended := strings.Replace(c.body, "fault", "there", 1)
			at := strings.Index(c.body, "fault")
			assertSameAsFull(t, faultyInput(c.path, mended), a.Edit(text.Edit{Span: text.Span{Start: at, End: at + len("fault")}, New: "there"}))
		})
	}
}

// TestFaultNotRun: a run never silently skips a case that cannot be lowered.
func TestFaultNotRun(t *testing.T) {
	in := faultyInput("a.eval.yaml", "prompts: [Say it]\ntests:\n  - id: a\n    assert: [{ include: fault }]\n  - id: b\n    assert: [Says it]\n")
	in.ForRun = true
	fault := diag.CatchPanic(func() {
		suite, _ := analysis.Of(in).RunSuite()
		t.Errorf("%d cases would be run", len(suite.Cases))
	})
	if !strings.Contains(fmt.Sprint(fault), "a fault that a test has put here") {
		t.Errorf("%v", fault)
	}
}

// TestFaultNotSilenced: neither settings nor a comment silence an internal error.
func TestFaultNotSilenced(t *testing.T) {
	in := faultyInput("a.eval.yaml", "evalcases:\n  - id: a # rubric: ignore internal-error -- no\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: fault.md }\n")
	in.Severities = map[string]diag.Severity{diag.InternalError: 0, "missing-file": diag.Hint}
	for _, d := range analysis.Of(in).Diagnostics() {
		if d.Code == diag.InternalError && d.Severity == diag.Error {
			return
		}
	}
	t.Error("no fault is found")
}
