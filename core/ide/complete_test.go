package ide_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// host is the host of the marker files' completions.
var host = completion.Host{
	Targets:  []string{"default", "grader model"},
	CaseIDs:  func() []string { return []string{"refund", "greeting"} },
	VarNames: func() []string { return []string{"question", "item"} },
	ReadDir: func(path string) []ide.DirEntry {
		switch path {
		case ".":
			return []ide.DirEntry{{Name: "prompts", IsDir: true}, {Name: "notes.md"}}
		case "prompts":
			return []ide.DirEntry{{Name: "strict.md"}, {Name: "kind.md"}}
		}
		return nil
	},
}

// TestComplete checks the items at each cursor: what they replace and insert, with placeholders in
// «».
func TestComplete(t *testing.T) {
	for _, path := range []string{"testdata/complete.txtar", "testdata/complete_adk.txtar"} {
		play(t, path, completions)
	}
}

func completions(t *testing.T, s scene) string {
	a, cursors := s.file()
	var b strings.Builder
	for i, cursor := range cursors {
		p, offset := chunkAt(a, cursor)
		fmt.Fprintf(&b, "[%d]\n", i+1)
		for _, item := range completion.Complete(p, offset, host) {
			if item.Kind != completion.RuleItem || strings.HasPrefix(item.Label, "duplicate-") { // of the rules, all of which are proposed
				b.WriteString(described(a, p, item))
			}
		}
	}
	return b.String()
}

// TestItemsFit checks that inserting an item adds no syntax or schema error.
func TestItemsFit(t *testing.T) {
	archive, err := os.ReadFile("testdata/complete.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var lead strings.Builder
	for _, s := range scenes(t, string(archive), &lead) {
		if strings.Contains(s.name, "half typed") {
			continue // which line is reported depends on the others
		}
		a, cursors := s.file()
		path, body := strings.Fields(s.name)[0], a.Source().Body
		before := misfits(path, body)
		for i, cursor := range cursors {
			p, offset := chunkAt(a, cursor)
			for _, item := range completion.Complete(p, offset, host) {
				if item.Kind == completion.KeyItem && !strings.Contains(item.Edit.New, ":") {
					continue // the value of the old key stays
				}
				e := text.Edit{Span: p.ToFile(item.Edit.Span), New: item.Edit.New}
				after, err := text.Apply(body, []text.Edit{e})
				if err != nil {
					t.Fatal(err)
				}
				if found := misfits(path, after); found > before {
					t.Errorf("%s [%d] `%s`: %d misfits, %d before, in\n%s", s.name, i+1, item.Label, found, before, after)
				}
			}
		}
	}
}

// misfits returns the number of syntax and schema errors in a text.
func misfits(path, body string) (n int) {
	for _, d := range analysis.Of(analysis.Input{Path: path, Text: body}).Diagnostics() {
		switch d.Code {
		case "yaml-syntax", "odd-layout", "unknown-key", "two-names", "duplicate-key", "wrong-type", "unknown-value", "out-of-bounds", "retired-key", "older-name":
			n++
		}
	}
	return n
}

func described(a *analysis.Analysis, p *analysis.Chunk, item completion.CompletionItem) string {
	var stops []string
	at := 0
	for _, s := range item.Stops {
		stops = append(stops, item.Edit.New[at:s.Start], "«", item.Edit.New[s.Start:s.End], "»")
		at = s.End
	}
	stops = append(stops, item.Edit.New[at:])
	line := fmt.Sprintf("%s ⟦%s⟧ %s", item.Label, a.Source().Slice(p.ToFile(item.Edit.Span)), strings.Join(stops, ""))
	if item.Filter != "" {
		line += fmt.Sprintf(" (typed %q)", item.Filter)
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "\r", "␍"), "\n", "⏎") + "\n"
}

// TestCompleteCRLF checks that insertions use the line breaks of the file.
func TestCompleteCRLF(t *testing.T) {
	body := strings.ReplaceAll("evalcases:\n  - id: a\n    input: Q\n    ▮\n    expected_outcome: O\n", "\n", "\r\n")
	a, cursors := scene{name: "a.eval.yaml", body: body}.file()
	p, offset := chunkAt(a, cursors[0])
	for _, item := range completion.Complete(p, offset, host) {
		if item.Label == "evaluators" && item.Plain().New != "evaluators:\r\n      - name: \r\n        type: " {
			t.Errorf("%q", item.Plain().New)
		}
		if item.Label == "input" || item.Label == "expected_outcome" {
			t.Errorf("`%s` is proposed again", item.Label)
		}
	}
}

// TestVariablesAreFilledIn checks that every variable proposed in a judge's prompt gets a value.
func TestVariablesAreFilledIn(t *testing.T) {
	for _, body := range []string{
		"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    evaluators:\n      - name: j\n        type: llm_judge\n        prompt: \"▮\"\n",
		"input: Q\ntests:\n  - id: a\n    criteria: O\n    input: Q\n    assertions:\n      - type: llm-grader\n        prompt: \"▮\"\n",
	} {
		typed := strings.Replace(body, mark, "{{ ", 1)
		p, offset := chunkAt(analysis.Of(analysis.Input{Path: "a.eval.yaml", Text: typed}), strings.Index(body, mark)+3)
		var prompt string
		for _, item := range completion.Complete(p, offset, completion.Host{}) {
			prompt += "{{ " + item.Label + " }} "
		}
		if !strings.Contains(prompt, "candidate_answer") {
			t.Fatalf("no proposals in %q", typed)
		}
		c := analysis.Of(analysis.Input{Path: "a.eval.yaml", Text: strings.Replace(body, mark, prompt, 1)}).Suite().Cases[0]
		prompted := ""
		hears := judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			prompted = q.User
			return judge.Answer{}, nil
		})
		grade.Grade(context.Background(), grade.Ports{Judge: hears, Profile: score.Spec}, c, c.Graders[0], grade.Submission{Answer: "A"})
		if prompted == "" || strings.Contains(prompted, "{{") {
			t.Errorf("the judge sees %q", prompted)
		}
	}
}
