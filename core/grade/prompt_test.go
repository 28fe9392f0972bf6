package grade_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// TestTemplate fills in a judge's own prompt once, and leaves what it does not
// know.
func TestTemplate(t *testing.T) {
	message := []rubric.Message{{Role: "user", Content: "<hi>"}}
	c := &rubric.Case{Question: " {{ candidate_answer }} ", ExpectedOutcome: "O", ReferenceAnswer: "R", Input: message}
	for template, want := range map[string]string{
		"Q {{ question }} A {{candidate_answer}}":           "Q {{ candidate_answer }} A hi",
		"{{expected_outcome}}/{{\treference_answer\n}}":     "O/R",
		"{{ nobody }} {{ nobody }} {{ x y }} {{}} {{ a-b}}": "{{ nobody }} {{ nobody }} {{ x y }} {{}} {{ a-b}}",
		"{{ {{ question }}":                                 "{{ {{ candidate_answer }}",
		"{ {question} } }} {{ question":                     "{ {question} } }} {{ question",
		"{{expected_messages}}{{output_messages}}":          "[][]",
		"{{ input_messages }}":                              "[\n  {\n    \"role\": \"user\",\n    \"content\": \"<hi>\"\n  }\n]",
	} {
		j := &script{replies: []string{`{"score":1}`}}
		g := &rubric.Grader{Kind: rubric.LLMJudge, Prompt: &rubric.Prompt{Text: template}}
		out := grade.Grade(t.Context(), grade.Ports{Judge: j}, c, g, grade.Submission{Answer: " hi "})
		if got := j.asked[0].User; got != want || out.Question.User != want {
			t.Errorf("%q becomes %q, want %q", template, got, want)
		}
		if odd := strings.Contains(template, "nobody"); odd != (len(out.Problems) == 1 && strings.Contains(out.Problems[0], "`{{ nobody }}`")) {
			t.Errorf("%q: problems are %q", template, out.Problems)
		}
		if q := grade.Question(score.Spec, c, g, grade.Submission{Answer: " hi "}); q.User != want {
			t.Errorf("%q is shown as %q", template, q.User)
		}
	}
	endless := &rubric.Case{Input: []rubric.Message{{Role: "user", Content: math.Inf(1)}}}
	g := &rubric.Grader{Kind: rubric.LLMJudge, Prompt: &rubric.Prompt{Text: "{{input_messages}}"}}
	if q := grade.Question(score.Spec, endless, g, grade.Submission{}); q.User != "null" {
		t.Errorf("what JSON has not is shown as %q", q.User)
	}
	for _, name := range grade.Variables {
		j := &script{replies: []string{`{"score":1}`}}
		g := &rubric.Grader{Kind: rubric.LLMJudge, Prompt: &rubric.Prompt{Text: "{{" + name + "}}"}}
		if out := grade.Grade(t.Context(), grade.Ports{Judge: j}, c, g, grade.Submission{}); len(out.Problems) > 0 || strings.Contains(j.asked[0].User, name) {
			t.Errorf("%s is no variable: %q", name, out.Problems)
		}
	}
}

// TestPromptSources: a file that was not read and a program that may not run
// leave nothing to ask; a rubric is asked in its own words.
func TestPromptSources(t *testing.T) {
	writes := func(_ context.Context, c grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: []byte(" made by " + c.Argv[0] + " for {{ question }}\n")}, nil
	}
	ask := &rubric.Prompt{Script: []string{"make-prompt"}, Config: map[string]any{"tone": "dry"}}
	for _, c := range []struct {
		name     string
		prompt   rubric.Prompt
		exec     grade.Exec
		profile  score.Profile
		asks     string
		ungraded string
		counts   bool // as a 0
	}{
		{"a program's", *ask, writes, score.Spec, "made by make-prompt for Why?", "", false},
		{"an empty one", *ask, program("", 0, nil), score.Spec, "How well does the submission", "", false},
		{"a file that was read", rubric.Prompt{Path: "p.md", Text: "from a file"}, nil, score.Spec, "from a file", "", false},
		{"a file that was not read", rubric.Prompt{Path: "gone.md"}, nil, score.Spec, "", "the prompt file `gone.md` was not read", false},
		{"a file that is not there", rubric.Prompt{Path: "gone.md", Text: "gone.md"}, nil, score.Spec, "", "the prompt file `gone.md` was not read", false},
		{"a file by its address that is not there", rubric.Prompt{Path: "gone", Text: "file://gone"}, nil, score.Spec, "", "the prompt file `gone` was not read", false},
		{"a file that is not there, to the reference", rubric.Prompt{Path: "gone.md", Text: "gone.md"}, nil, score.AgentV, "gone.md", "", false},
		{"a word that could be a path", rubric.Prompt{Path: "strictly", Text: "strictly"}, nil, score.Spec, "strictly", "", false},
		{"a number that JSON has not", rubric.Prompt{Script: []string{"x"}, Config: map[string]any{"k": math.NaN()}}, writes, score.Spec, "", "cannot be encoded as JSON", false},
		{"a program that may not run", *ask, nil, score.Spec, "", "--allow-exec", false},
		{"a program that may not run, to the reference", *ask, nil, score.AgentV, "", "--allow-exec", false},
		{"a program that fails", *ask, program("x", 2, nil), score.Spec, "", "the prompt's script: the program exited with code 2", false},
		{"a program that fails, to the reference", *ask, program("x", 2, nil), score.AgentV, "", "the program exited with code 2", true},
	} {
		j := &script{replies: []string{`{"score":1}`}}
		g := &rubric.Grader{Kind: rubric.LLMJudge, Prompt: &c.prompt}
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Exec: c.exec, Profile: c.profile}, &rubric.Case{Question: "Why?"}, g, grade.Submission{})
		r := out.Result
		switch {
		case c.asks != "":
			if len(j.asked) != 1 || !strings.Contains(j.asked[0].User, c.asks) || number(r) != 1 {
				t.Errorf("%s: asked %+v", c.name, j.asked)
			}
		case c.counts:
			if r.Ungraded != "" || number(r) != 0 || len(r.Misses) != 1 || !strings.Contains(r.Misses[0], c.ungraded) {
				t.Errorf("%s: %+v", c.name, r)
			}
		default:
			if !strings.Contains(r.Ungraded, c.ungraded) || out.Err == nil || len(j.asked) > 0 {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	}
	for profile, asked := range map[score.Profile]int{score.Spec: 0, score.AgentV: 1} {
		j := &script{replies: []string{`{"score":1}`}}
		g := &rubric.Grader{Kind: rubric.Composite, Combine: &rubric.Aggregator{Type: "llm_judge", Prompt: "prompts/gone.md"}}
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{}, g, grade.Submission{})
		if len(j.asked) != asked || (out.Result.Ungraded == "") != (asked == 1) {
			t.Errorf("an aggregator whose prompt file is not there, %s: %+v", profile, out.Result)
		}
	}
	j := &script{replies: []string{both}}
	g := two()
	g.Prompt = &rubric.Prompt{Text: "ignore the rubric"}
	if out := grade.Grade(t.Context(), grade.Ports{Judge: j}, &rubric.Case{}, g, grade.Submission{}); strings.Contains(j.asked[0].User, "ignore") || number(out.Result) != 1 {
		t.Errorf("a rubric with a prompt: %s", j.asked[0].User)
	}
}

// TestFilesOfTheAnswer: a judge reads the files of the last message with content as its preprocessors
// convert them. By the rules a file that is not converted leaves the grader ungraded; in the reference
// the judge is told.
func TestFilesOfTheAnswer(t *testing.T) {
	type object = map[string]any
	file := func(path, kind string) object { return object{"type": "file", "path": path, "media_type": kind} }
	text := object{"type": "text", "text": "See:"}
	pdf := file("file:///a.pdf", "pdf")
	const head = score.AgentVHead
	echo := func(_ context.Context, c grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: fmt.Appendf(nil, " %s %s\n", c.Argv[0], c.Stdin)}, nil
	}
	silent := func(context.Context, grade.Command) (grade.Output, error) { return grade.Output{Code: 3}, nil }
	const converted = "[[ file: file:///a.pdf ]]\n" + `to-text {"media_type":"pdf","original_path":"file:///a.pdf","path":"/a.pdf"}`
	for _, c := range []struct {
		name          string
		profile       score.Profile
		exec          grade.Exec
		content       any
		reads, reason string
	}{
		{"a file and a text", score.Spec, echo, []any{text, pdf, object{"type": "image"}}, "See:\n" + converted, ""},
		{"a file in the reference", head, echo, []any{pdf}, converted, ""},
		{"no file", score.Spec, echo, []any{text}, "the answer", ""},
		{"a text", score.Spec, echo, "See:", "the answer", ""},
		{"a program that fails", score.Spec, program("", 1, nil), []any{pdf}, "", "the file `file:///a.pdf` of the answer is not converted: oh no"},
		{"one that fails and says nothing", score.Spec, silent, []any{pdf}, "", "the file `file:///a.pdf` of the answer is not converted: preprocessor exited with code 3"},
		{"one that does not start", score.Spec, program("", 0, errors.New("no such file")), []any{pdf}, "", "the file `file:///a.pdf` of the answer is not converted: run `to-text`: no such file"},
		{"one that fails in the reference", head, program("", 1, nil), []any{text, pdf}, "See:\n[file preprocessing warning] file:///a.pdf (pdf): oh no", ""},
		{"no programs", head, nil, []any{pdf}, "", "the file `file:///a.pdf` of the answer is not converted: programs run only with `rubric run FILE --allow-exec`"},
		{"another type", score.Spec, echo, []any{file("a.csv", "csv")}, "", "the file `a.csv` of the answer is not converted: no preprocessor is for `csv`"},
		{"another host", score.Spec, echo, []any{file("https://x/a.pdf", "pdf")}, "", "the file `https://x/a.pdf` of the answer is not converted: remote file paths are not supported for preprocessing"},
	} {
		for _, criteria := range [][]*rubric.Criterion{nil, two().Criteria} {
			g := freely()
			g.Criteria, g.Preprocessors = criteria, []rubric.Preprocessor{{Type: rubric.MediaType("pdf"), Command: []string{"to-text"}}, {Type: rubric.MediaType("txt")}}
			sub := grade.Submission{Answer: "the answer", Messages: []rubric.Message{
				{Role: "assistant", Content: []any{file("old.pdf", "pdf")}}, {Role: "assistant", Content: c.content}, {Role: "assistant"}, {Role: "tool", Content: []any{file("tool.pdf", "pdf")}},
			}}
			j := &script{replies: []string{`{"score":1}`}}
			out := grade.Grade(t.Context(), grade.Ports{Judge: j, Exec: c.exec, Profile: c.profile}, &rubric.Case{}, g, sub)
			if c.reason != "" {
				if len(j.asked) > 0 || out.Err == nil || out.Err.Error() != c.reason || len(out.Result.Grades) != len(criteria) || criteria == nil && out.Result.Ungraded != c.reason {
					t.Errorf("%s: %v, ungraded as %q with the grades %v, want %q", c.name, out.Err, out.Result.Ungraded, out.Result.Grades, c.reason)
				}
			} else if len(j.asked) == 0 || j.asked[0].Brief.Submission != c.reads {
				t.Errorf("%s: the judge is asked %+v, want it to read %q", c.name, j.asked, c.reads)
			}
		}
	}
}
