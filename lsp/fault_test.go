package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// panickingFiles are files whose analysis panics when it reads a file called fault: in a rule, in lowering
// a case, and in reading the text around the cases.
var panickingFiles = map[string]string{
	"/evals/rule.eval.yaml":   "evalcases:\n  - id: of-rule\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: fault.md }\n",
	"/evals/case.eval.yaml":   "prompts: [Say it]\ntests:\n  - id: of-case\n    assert: [{ include: fault }]\n",
	"/evals/around.eval.yaml": "prompts: [Say it]\nscenarios: [file://fault.yaml]\ntests:\n  - id: of-around\n    assert: [Says it]\n",
}

// newPanickingServer returns a server over files of which some cannot be analysed.
func newPanickingServer() *lsp.Server {
	files := map[string]string{"/evals/sound.eval.yaml": hasOne}
	for name, body := range panickingFiles {
		files[name] = body
	}
	server := newServer(newFolder(files))
	input := server.Disk.Input
	server.Disk.Input = func(path string) analysis.Input {
		in := input(path)
		find := in.ReadFile
		in.ReadFile = func(name string) (string, bool) {
			if strings.Contains(name, "fault") {
				panic("a fault that a test has put here")
			}
			return find(name)
		}
		return in
	}
	return server
}

// TestFault checks that a file that cannot be analysed has one diagnostic that says so, open or
// closed, and that workspace requests use the other files.
func TestFault(t *testing.T) {
	const folders = `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`
	for _, open := range []bool{false, true} {
		e := lsptest.Start(t, newPanickingServer())
		e.Initialize(`{"textDocument":{"diagnostic":{}}}`, folders)
		for name, body := range panickingFiles {
			if open {
				e.Open("file://"+name, body)
			}
		}
		var all struct{ Items []fileReport }
		e.RequestInto(&all, "workspace/diagnostic", `{"previousResultIds":[]}`)
		seen := map[string][]string{}
		for _, r := range all.Items {
			for _, d := range r.Items {
				seen[r.URI] = append(seen[r.URI], d.Code)
			}
		}
		if got := seen["file:///evals/sound.eval.yaml"]; len(got) != 1 || got[0] != "unknown-key" {
			t.Errorf("open %v: of the sound file: %v", open, got)
		}
		for name := range panickingFiles {
			if got := strings.Count(strings.Join(seen["file://"+name], " "), "internal-error"); got != 1 {
				t.Errorf("open %v: of %s: %v", open, name, seen["file://"+name])
			}
		}
		symbols := string(e.Request("workspace/symbol", `{"query":""}`))
		if !strings.Contains(symbols, "sound.eval.yaml") || !strings.Contains(symbols, "of-rule") {
			t.Errorf("open %v: symbols: %s", open, symbols)
		}
		e.Stop()
	}
}

// TestFaultPublished checks that this diagnostic is pushed, and removed with the fault.
func TestFaultPublished(t *testing.T) {
	e := lsptest.Start(t, newPanickingServer())
	e.Initialize("{}")
	for name, body := range panickingFiles {
		uri := "file://" + name
		e.Open(uri, body)
		found := e.AwaitDiagnostics(uri, 1)
		if got := strings.Join(lsptest.Codes(found), " "); strings.Count(got, "internal-error") != 1 {
			t.Errorf("%s: %s", name, got)
		}
		for _, d := range found {
			if d.Code == "internal-error" && !strings.Contains(d.CodeDescription.Href, "/issues") {
				t.Errorf("its address is %s", d.CodeDescription.Href)
			}
		}
		e.Change(uri, 2, lsptest.FullChange(strings.Replace(body, "fault", "there", 1)))
		if got := strings.Join(lsptest.Codes(e.AwaitDiagnostics(uri, 2)), " "); strings.Contains(got, "internal-error") {
			t.Errorf("%s: %s", name, got)
		}
	}
	e.Open(doc, hasOne)
	if found := e.AwaitDiagnostics(doc, 1); len(found) != 1 {
		t.Errorf("%v", found)
	}
}

// nineFaults is a file with nine typical errors, each marked and named at the end of its line.
const nineFaults = `evalcases:
  - id: refund
    expected_outcome: Explains the refund
    input: Can I send it back?
    rubrics:
      - id: window
        expected_outcome: Names the window of thirty days
        ⟦wieght⟧: 2 # unknown-key
        required: false
      - { id: ⟦window⟧, expected_outcome: Names where to send it, required: false } # duplicate-criterion-id
  - id: ranges
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: overlap
        expected_outcome: Greets the user by name
        score_ranges:
          - { score_range: [0, 5], expected_outcome: Cold }
          - { score_range: ⟦[5, 10]⟧, expected_outcome: Warm } # ranges-overlap
      - id: gap
        expected_outcome: Thanks the user
        score_ranges:
          - { score_range: ⟦[0, 4]⟧, expected_outcome: No thanks } # ranges-gap
          - { score_range: [6, 10], expected_outcome: Thanks }
      - id: reversed
        expected_outcome: Names the next step
        score_ranges:
          - { score_range: ⟦[10, 0]⟧, expected_outcome: Any } # range-reversed
  - id: ⟦refund⟧ # duplicate-case-id
    expected_outcome: Explains the refund again
    input: Really?
    ⟦rubrics⟧: # asserts-nothing
      - { id: steps, expected_outcome: Names the steps, weight: 0, required: false }
  - id: gates
    expected_outcome: Explains the fee
    input: What does it cost?
    rubrics:
      - { id: fee, expected_outcome: Names the fee }
      - { id: must, expected_outcome: Names the shop, weight: ⟦0⟧ } # weightless-gate
  - id: minimum
    expected_outcome: Explains the delay
    input: Where is it?
    ⟦rubrics⟧: # pass-unreachable
      - id: delay
        expected_outcome: Explains the delay
        required_min_score: 9
        score_ranges:
          - { score_range: [0, 4], expected_outcome: No }
          - { score_range: [5, 8], expected_outcome: Yes }
`

// TestNineFaults checks that each is found at its exact position.
func TestNineFaults(t *testing.T) {
	body, marks := lint.ParseMarkers(nineFaults)
	src := text.New("", body)
	e := start(t, nil, `{"general":{"positionEncodings":["utf-16"]}}`)
	e.Open(doc, body)
	var got []string
	for _, d := range e.AwaitDiagnostics(doc, 1) {
		got = append(got, fmt.Sprint(d.Range.Start.Line, ":", d.Range.Start.Character, "-", d.Range.End.Line, ":", d.Range.End.Character, " ", d.Code))
	}
	for _, mark := range marks {
		r := src.SpanRange(text.Span{Start: mark[0], End: mark[1]}, text.UTF16)
		place := fmt.Sprint(r.Start.Line, ":", r.Start.Character, "-", r.End.Line, ":", r.End.Character, " ")
		if !slices.ContainsFunc(got, func(d string) bool {
			return strings.HasPrefix(d, place) && strings.Contains(nineFaults, "# "+strings.TrimPrefix(d, place)+"\n")
		}) {
			t.Errorf("nothing is found of `%s` at %s", body[mark[0]:mark[1]], place)
		}
	}
	if len(marks) != 9 {
		t.Errorf("%d faults are marked", len(marks))
	}
	if t.Failed() {
		t.Logf("found:\n%s", strings.Join(got, "\n"))
	}
}

// TestOthersStay checks that the diagnostics and lenses of a case stay while another case is
// broken.
func TestOthersStay(t *testing.T) {
	const before = "evalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n"
	const after = "  - id: z\n    expected_outcome: It works\n    input: Do it\n    wieght: 1\n"
	type seen struct{ found, lenses string }
	look := func(e *lsptest.Editor, version, lines int) (s seen) {
		for _, d := range e.AwaitDiagnostics(doc, version) {
			if d.Range.Start.Line >= lines {
				s.found += fmt.Sprintln(d.Range.Start.Line-lines, d.Range.Start.Character, d.Code, d.Message)
			}
		}
		var lenses []struct {
			Range   lsptest.Range `json:"range"`
			Command struct {
				Title string `json:"title"`
			} `json:"command"`
		}
		e.RequestInto(&lenses, "textDocument/codeLens", `{"textDocument":{"uri":"`+doc+`"}}`)
		for _, l := range lenses {
			if l.Range.Start.Line >= lines {
				s.lenses += fmt.Sprintln(l.Range.Start.Line-lines, l.Command.Title)
			}
		}
		return s
	}
	e := start(t, nil, "{}")
	e.Open(doc, before+after)
	want := look(e, 1, strings.Count(before, "\n"))
	if !strings.Contains(want.found, "unknown-key") || want.lenses == "" {
		t.Fatalf("%+v", want)
	}
	for i, broken := range []string{
		"    rubrics: [\n", "    rubrics: \"open\n", "    rubrics:\n      - id:x\n       - bad\n", "    ru", "    rubrics: {a: [b}\n", "stray\n",
		"    input: 'x\n", "\t- x\n", "    rubrics: *nowhere\n", "    : :\n", "    - - -\n", "  - \n", "    rubrics: |\n", "    rubrics: >-\n      text\n    x",
	} {
		if !strings.HasSuffix(broken, "\n") {
			broken += "\n"
		}
		e.Change(doc, i+2, lsptest.FullChange(before+broken+after))
		if got := look(e, i+2, strings.Count(before+broken, "\n")); got != want {
			t.Errorf("after %q:\n%s%s\nwant\n%s%s", broken, got.found, got.lenses, want.found, want.lenses)
		}
	}
}
