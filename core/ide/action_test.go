package ide_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// offers returns the actions for a span, for a client that supports everything.
func offers(a *analysis.Analysis, span text.Span) []ide.CodeAction {
	f := newFile(a)
	f.Client = &ide.Browser
	f.Host.DiagnosticsIn = func(text.Span) []diag.Diagnostic { return a.Diagnostics() }
	return action.InRange(f, span, nil)
}

// TestIgnore checks the ignore action wherever it is offered: it removes its diagnostic, adds none,
// comes last and is not a fix.
func TestIgnore(t *testing.T) {
	offered, all := 0, 0
	for _, rule := range lint.All() {
		a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: rule.Bad})
		for _, found := range a.Diagnostics() {
			all++
			ignoring := false
			for _, offer := range offers(a, found.Span) {
				if ignoring && offer.Kind != action.Suppress {
					t.Errorf("%s: `%s` comes after the ignore action", rule.ID, offer.Title)
				}
				if offer.Disabled != nil {
					continue
				}
				if offer.Data.Ignore != (offer.Kind == action.Suppress) || offer.Data.Ignore && offer.IsPreferred {
					t.Errorf("%s: `%s` is of kind %s", rule.ID, offer.Title, offer.Kind)
				}
				if ignoring = ignoring || offer.Data.Ignore; !offer.Data.Ignore || offer.Data.Rule != found.Code || offer.Data.Span != found.Span {
					continue
				}
				offered++
				edits, err := action.Edits(a, offer.Data.EditChoice)
				if err != nil || len(edits) != 1 || !edits[0].Span.Empty() {
					t.Fatalf("%s: %v, %v", rule.ID, edits, err)
				}
				body, err := text.Apply(rule.Bad, edits)
				if err != nil {
					t.Fatal(err)
				}
				left := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body}).Diagnostics()
				if len(left) >= len(a.Diagnostics()) {
					t.Errorf("%s: %d findings, and %d after\n%s", rule.ID, len(a.Diagnostics()), len(left), body)
				}
			}
		}
	}
	if offered < all/2 {
		t.Errorf("offered for %d of %d findings", offered, all)
	}
}

// TestIgnoreUnreadable checks that no comment is offered that hides why a file cannot be read.
func TestIgnoreUnreadable(t *testing.T) {
	for code, body := range map[string]string{
		"yaml-syntax": "evalcases:\n  - id: a\n    expected_outcome: @home\n    input: Q\n",
		"not-utf8":    "evalcases:\n  - id: a\n    expected_outcome: Gr\xfc\n    input: Q\n",
	} {
		a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
		found := a.Diagnostics()
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == code }) {
			t.Fatalf("%s is not found: %v", code, found)
		}
		for _, offer := range offers(a, text.Span{End: a.Length()}) {
			if offer.Kind == action.Suppress && offer.Data.Rule == code {
				t.Errorf("%s: `%s` is offered", code, offer.Title)
			}
		}
	}
}

// TestIgnoreInText checks that no comment is inserted into a scalar.
func TestIgnoreInText(t *testing.T) {
	for _, body := range []string{
		"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    evaluators:\n      - name: j\n        type: llm_judge\n        prompt: |\n          Judge\n          {{ nonsense }}\n",
		`{"evalcases":[{"id":"a","expected_outcme":"O","input":"Q"}]}`,
	} {
		a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
		if len(a.Diagnostics()) == 0 {
			t.Fatal("no diagnostics")
		}
		for _, found := range a.Diagnostics() {
			for _, offer := range offers(a, found.Span) {
				if offer.Kind != action.Suppress {
					continue
				}
				edits, err := action.Edits(a, offer.Data.EditChoice)
				if err != nil {
					t.Fatal(err)
				}
				after, err := text.Apply(body, edits)
				if err != nil || strings.Contains(after, "Judge\n          # rubric") {
					t.Errorf("%v\n%s", err, after)
				}
			}
		}
	}
}

// TestFixesOfLine checks that a cursor gets the fixes of its line, the nearest first.
func TestFixesOfLine(t *testing.T) {
	body := "evalcases:\n  - { idd: a, expected_outcom: Greets, input: Hi }\n"
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
	for cursor, want := range map[string]string{"evalcases": "", "- {": "id expected_outcome", "expected_outcom:": "expected_outcome id"} {
		at := strings.Index(body, cursor)
		var got []string
		for _, offer := range offers(a, text.Span{Start: at, End: at}) {
			if offer.Kind == action.QuickFix {
				got = append(got, strings.Trim(strings.TrimPrefix(offer.Title, "change to "), "`"))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("at %q: %q, want %q", cursor, got, want)
		}
	}
}
