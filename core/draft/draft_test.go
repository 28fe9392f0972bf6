package draft_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/text"
)

var two = []draft.Criterion{
	{ID: "greets", ExpectedOutcome: "Greets the user", Weight: 2, Required: true},
	{ID: "name", ExpectedOutcome: `Says: "your name"`, Weight: 1},
}

const (
	block = "MARGINrubrics:\nMARGINDASH- id: greets\nMARGINDASH  expected_outcome: Greets the user\nMARGINDASH  weight: 2\nMARGINDASH  required: true\n" +
		"MARGINDASH- id: name\nMARGINDASH  expected_outcome: \"Says: \\\"your name\\\"\"\nMARGINDASH  weight: 1\nMARGINDASH  required: false"
	later = "MARGINKEY:\nMARGINDASH- type: TYPE\nMARGINDASH  LIST:\nMARGINDASH  DASH- id: greets\nMARGINDASH  DASH  outcome: Greets the user\nMARGINDASH  DASH  weight: 2\nMARGINDASH  DASH  required: true\n" +
		"MARGINDASH  DASH- id: name\nMARGINDASH  DASH  outcome: \"Says: \\\"your name\\\"\"\nMARGINDASH  DASH  weight: 1\nMARGINDASH  DASH  required: false"
)

func in(form, margin, dash string, more ...string) string {
	return strings.NewReplacer(append(more, "MARGIN", margin, "DASH", dash)...).Replace(form)
}

// TestWriteInTheFilesStyle checks what is inserted, and where: at the mark ‸, or in place of ⟦…⟧.
func TestWriteInTheFilesStyle(t *testing.T) {
	const rubrics = "[{id: greets, KEY: Greets the user, weight: 2, required: true}, {id: name, KEY: \"Says: \\\"your name\\\"\", weight: 1, required: false}]"
	flow := strings.ReplaceAll(rubrics, "KEY", "expected_outcome")
	stable := []string{"KEY", "assertions", "TYPE", "rubrics", "LIST", "criteria"}
	for _, tt := range []struct{ name, file, text, want string }{
		{"block, dashes indented", "a.yaml", "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Hi # why\n‸\n  # next\n  - id: b\n    expected_outcome: O\n    input: [x]\n", in(block, "    ", "  ")},
		{"block, dashes not indented", "a.yaml", "evalcases:\n- id: a\n  expected_outcome: O\n  input: Hi\n‸\n- id: b\n  expected_outcome: O\n  input: x\n", in(block, "  ", "")},
		{"as other cases have lists", "a.yaml", "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Hi\n‸\n  - id: b\n    expected_outcome: O\n    input:\n    - role: user\n      content: x\n", in(block, "    ", "")},
		{"quoted", "a.yaml", "evalcases:\n  - id: \"a\"\n    expected_outcome: 'O'\n    input: Hi\n‸\n", strings.NewReplacer("greets\n", "\"greets\"\n", "id: name", "id: \"name\"", "Greets the user", "'Greets the user'", `"Says: \"your name\""`, `'Says: "your name"'`).Replace(in(block, "    ", "  "))},
		{"quoted only where it has to be", "a.yaml", "evalcases:\n  - id: a\n    expected_outcome: \"O: p\"\n    input: Hi\n‸\n", in(block, "    ", "  ")},
		{"flow", "a.yaml", "evalcases:\n  - {id: a, expected_outcome: O, input: Hi‸ }\n", ", rubrics: " + flow},
		{"flow after a comma", "a.yaml", "evalcases:\n  - {id: a, expected_outcome: O, input: Hi,‸ }\n", " rubrics: " + flow},
		{"JSON of many lines", "a.eval.json", "{\n\t\"evalcases\": [\n\t\t{\n\t\t\t\"id\": \"a\",\n\t\t\t\"expected_outcome\": \"O\",\n\t\t\t\"input\": \"Hi\"‸\n\t\t}\n\t]\n}\n",
			",\n\t\t\t\"rubrics\": [\n\t\t\t\t{\"id\": \"greets\", \"expected_outcome\": \"Greets the user\", \"weight\": 2, \"required\": true},\n\t\t\t\t{\"id\": \"name\", \"expected_outcome\": \"Says: \\\"your name\\\"\", \"weight\": 1, \"required\": false}\n\t\t\t]"},
		{"brackets over lines", "a.yaml", "evalcases:\n  - {\n      id: a,\n      expected_outcome: O, # why\n      input: Hi,‸\n    }\n",
			"\n      rubrics: [\n        {id: greets, expected_outcome: Greets the user, weight: 2, required: true},\n        {id: name, expected_outcome: \"Says: \\\"your name\\\"\", weight: 1, required: false}\n      ]"},
		{"brackets broken anywhere", "a.yaml", "evalcases:\n  - {id: a,\n     expected_outcome: O, input: Hi‸}\n", ", rubrics: " + flow},
		{"an empty rubric", "a.yaml", "evalcases:\n  - id: a\n    ⟦rubrics: [] # todo⟧\n    expected_outcome: O\n    input: Hi\n", strings.Replace(strings.TrimPrefix(in(block, "    ", "  "), "    "), "\n", " # todo\n", 1)},
		{"a rubric without a value", "a.yaml", "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Hi\n    ⟦rubrics:⟧\n", strings.TrimPrefix(in(block, "    ", "  "), "    ")},
		{"a null rubric in brackets", "a.yaml", "evalcases:\n  - {id: a, ⟦rubrics: ~⟧, expected_outcome: O, input: Hi}\n", "rubrics: " + flow},
		{"JSON line", "a.jsonl", "{\"id\": \"a\", \"expected_outcome\": \"O\", \"input\": \"Hi\"‸}\n{\"id\": \"b\"}\n",
			`, "rubrics": [{"id": "greets", "expected_outcome": "Greets the user", "weight": 2, "required": true}, {"id": "name", "expected_outcome": "Says: \"your name\"", "weight": 1, "required": false}]`},
		{"no line break at the end", "a.yaml", "evalcases:\n  - id: a\n    expected_outcome: O\n    input: |-\n      Hi\n‸", in(block, "    ", "  ")},
		{"a later version", "a.eval.yaml", "tests:\n  - id: a\n    criteria: O\n    input: Hi\n‸\n  - id: b\n    criteria: O\n    input: x\n", in(later, "    ", "  ", stable...)},
		{"beside its other graders", "a.eval.yaml", "tests:\n  - id: a\n    criteria: O\n    input: Hi\n    assertions:\n      - type: contains\n        value: x # why\n‸\n",
			strings.SplitN(in(later, "    ", "  ", stable...), "\n", 2)[1]},
		{"in a flow list of theirs", "a.eval.yaml", "tests:\n  - id: a\n    criteria: O\n    input: Hi\n    assertions: [{type: contains, value: x}‸]\n", ", {type: rubrics, criteria: " + strings.ReplaceAll(rubrics, "KEY", "outcome") + "}"},
		{"in an empty one", "a.eval.yaml", "tests:\n  - id: a\n    criteria: O\n    input: Hi\n    assertions: [‸]\n", "{type: rubrics, criteria: " + strings.ReplaceAll(rubrics, "KEY", "outcome") + "}"},
		{"the newest version", "a.eval.yaml", "prompts: ['{{ q }}']\ntests:\n  - id: a\n    description: O\n    vars:\n      q: Hi\n‸\n", in(later, "    ", "  ", "KEY", "assert", "TYPE", "llm-rubric", "LIST", "value")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.text, "‸")
			body, want := before+after, before+tt.want+after
			if start, rest, replaced := strings.Cut(tt.text, "⟦"); replaced {
				old, end, _ := strings.Cut(rest, "⟧")
				before, body, want = "", start+old+end, start+tt.want+end
			}
			if strings.HasSuffix(before, "\n") { // the new lines come with their own break
				body = strings.TrimSuffix(before, "\n") + after
			}
			a := analysis.Of(analysis.Input{Path: tt.file, Text: body})
			all := append(a.Suite().Cases, a.Suite().Skipped...)
			drafted, err := draft.Write(a, all[0], two)
			if err != nil {
				t.Fatal(err)
			}
			got, err := text.Apply(body, drafted.Edits)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if len(drafted.Notes) > 0 {
				t.Error(drafted.Notes)
			}
		})
	}
}

func TestDeclined(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a rubric of another form", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, rubrics: Greets}\n", "already has `rubrics`"},
		{"an empty rubric with an anchor", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, rubrics: &r []}\n", "already has `rubrics`"},
		{"one that is read", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, rubrics: [Greets]}\n", "already has criteria"},
		{"a grader's", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, evaluators: [{name: j, type: llm_judge, rubrics: [{id: x, expected_outcome: X}]}]}\n", "already has criteria"},
		{"nothing to draft from", "evalcases:\n  - {id: a, input: Q}\n", "has no expected outcome"},
		{"a case that is skipped", "evalcases:\n  - {id: a, expected_outcome: O}\n", "the runner skips the case `a`"},
		{"an anchored case that another repeats", "evalcases:\n  - &a\n    id: a\n    expected_outcome: O\n    input: Q\n  - *a\n", ""},
		{"one that another is made of", "evalcases:\n  - &a\n    id: a\n    expected_outcome: O\n    input: Q\n  - <<: *a\n    id: b\n", "change the other graders of `b`"},
		{"criteria in the newest version", "prompts: ['{{ q }}']\ntests:\n  - {id: a, criteria: O, vars: {q: Hi}}\n", "already has criteria"},
		{"no list", "tests:\n  - {id: a, criteria: O, input: Hi, assertions: null}\n", "not a list that can be extended"},
	} {
		a := analysis.Of(analysis.Input{Path: "a.eval.yaml", Text: tt.text})
		c := append(a.Suite().Cases, a.Suite().Skipped...)[0]
		err := draft.CheckDraftable(a, c)
		if err == nil {
			_, err = draft.Write(a, c, two)
		}
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestWriteKeepsEveryByte(t *testing.T) {
	body := "# top\r\nevalcases: # here\r\n  - id: a # one\r\n    expected_outcome: O\r\n    input: >+\r\n      Hi\r\n\r\n\r\n  # two\r\n  - id: b\r\n    expected_outcome: O\r\n    input: x\r\n"
	a := analysis.Of(analysis.Input{Path: "a.yaml", Text: body})
	for _, c := range a.Suite().Cases {
		drafted, err := draft.Write(a, c, two)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		for _, e := range drafted.Edits {
			if !e.Span.Empty() {
				t.Errorf("%s: edit %v replaces text", c.ID, e)
			}
			if strings.Contains(strings.ReplaceAll(e.New, "\r\n", ""), "\n") {
				t.Errorf("%s: edit has a line break that is not the file's: %q", c.ID, e.New)
			}
		}
	}
}

// TestWriteLeavesOut checks that criteria which a rule flags are left out, with a note.
func TestWriteLeavesOut(t *testing.T) {
	a := analysis.Of(analysis.Input{Path: "a.yaml", Text: "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Hi\n"})
	drafted, err := draft.Write(a, a.Suite().Cases[0], append([]draft.Criterion{{ID: "vague", ExpectedOutcome: "Is good", Weight: 1, Required: true}}, two...))
	if err != nil || len(drafted.Criteria) != 2 || len(drafted.Notes) != 1 || !strings.HasPrefix(drafted.Notes[0], "`vague` is left out: ") {
		t.Errorf("%+v, %v", drafted, err)
	}
	drafted, err = draft.Write(a, a.Suite().Cases[0], []draft.Criterion{{ID: "vague", ExpectedOutcome: "Is good", Weight: 1, Required: true}})
	if err == nil || len(drafted.Edits) > 0 || !strings.Contains(err.Error(), "contains nothing checkable") {
		t.Errorf("%+v, %v", drafted, err)
	}
}

func TestDecodeAndFaults(t *testing.T) {
	criteria, err := draft.DecodeCriteria("```json\n{\"rubrics\":[{\"id\":\"a\",\"expected_outcome\":\"o\"},{\"id\":\"a\",\"expected_outcome\":\" \",\"weight\":0},{\"id\":\"two words\",\"expected_outcome\":\"o\"}]}\n```")
	if err != nil {
		t.Fatal(err)
	}
	if c := criteria[0]; c.Weight != 1 || !c.Required {
		t.Errorf("defaults: got %+v", c)
	}
	got := strings.Join(draft.Problems(criteria), "\n")
	for _, want := range []string{"`a` occurs twice", "`a` has no text", "weight of `a`", "the id of criterion 3 is not a short word"} {
		if !strings.Contains(got, want) {
			t.Errorf("faults lack %q:\n%s", want, got)
		}
	}
	const not = "the reply is not the requested JSON object: "
	for reply, want := range map[string]string{
		"": not + "it is empty", "```json\n```": not + "it is empty", "[]": not + "it is of type array", "{}": "the reply has no list `rubrics`",
		"Sure: {\"rubrics\":[]} bye": not + "it has text around its JSON", `{"rubrics":[`: not + "it is not JSON: unexpected end of JSON input",
		`{"rubrics":[],"rubrics":[]}`:                   not + "it has the key `rubrics` twice",
		`{"rubrics":[{"id":1,"expected_outcome":"x"}]}`: not + "rubrics.id is of type number", `{"rubrics":[{"id":"x"}]}`: "item 1 of `rubrics` needs a string `id`",
	} {
		if _, err := draft.DecodeCriteria(reply); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Decode(%q): %v, want %q", reply, err, want)
		}
	}
}

// TestCriteria checks that a judge is asked at most three times, is given the problems of its reply,
// and that the last usable reply counts.
func TestCriteria(t *testing.T) {
	one := `{"rubrics":[{"id":"a","expected_outcome":"Names thirty days"}]}`
	three := `{"rubrics":[{"id":"a","expected_outcome":"Names thirty days"},{"id":"b","expected_outcome":"Offers a label"},{"id":"c","expected_outcome":"Thanks the customer"}]}`
	vague := strings.Replace(three, "Names thirty days", "Is good", 1)
	a := analysis.Of(analysis.Input{Path: "a.yaml", Text: "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Hi\n"})
	for _, c := range []struct {
		name    string
		replies []string
		want    int // criteria; 0: an error
		asked   int
		says    string // in the second question, about the first reply
	}{
		{"at once", []string{three}, 3, 1, ""},
		{"after rubbish", []string{"no", three}, 3, 2, "is not the requested JSON object"},
		{"rubbish for ever", []string{"no"}, 0, 3, "is not the requested JSON object"},
		{"none for ever", []string{`{"rubrics":[]}`}, 0, 3, "the reply has no criteria"},
		{"too few for ever", []string{one}, 1, 3, "3 to 7 criteria, not 1"},
		{"too few, then enough", []string{one, three}, 3, 2, "3 to 7 criteria, not 1"},
		{"too few, then rubbish", []string{one, "no"}, 1, 3, "3 to 7 criteria, not 1"},
		{"numbers for names", []string{strings.Replace(three, `"a"`, `"rubric-1"`, 1), three}, 3, 2, "the id `rubric-1` says nothing"},
		{"what a rule is about", []string{vague, three}, 3, 2, "`Is good`"},
		{"unusable for ever", []string{`{"rubrics":[{"id":"","expected_outcome":"o"}]}`}, 0, 3, "criterion 1 has no id"},
	} {
		var asked []judge.Question
		j := judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			asked = append(asked, q)
			return judge.Answer{Text: c.replies[min(len(asked), len(c.replies))-1]}, nil
		})
		got, err := draft.AskCriteria(t.Context(), j, a, a.Suite().Cases[0])
		if len(got) != c.want || (err == nil) != (c.want > 0) || len(asked) != c.asked {
			t.Errorf("%s: %d criteria, %v, asked %d times", c.name, len(got), err, len(asked))
		}
		if len(asked) > 1 && (asked[1].Attempt != 1 || !strings.Contains(asked[1].User, "could not be used") || !strings.Contains(asked[1].User, c.says)) {
			t.Errorf("%s: the second question does not say what was wrong:\n%s", c.name, asked[1].User)
		}
	}
	away := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{}, judge.ErrUnreachable
	})
	if _, err := draft.AskCriteria(t.Context(), away, a, a.Suite().Cases[0]); !errors.Is(err, judge.ErrUnreachable) {
		t.Errorf("an unreachable judge: %v", err)
	}
}

// TestInsists checks that soft problems are accepted in the end, and noted.
func TestInsists(t *testing.T) {
	list := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"id":"names-%c","expected_outcome":"Names %d days"}`, 'a'+i, 30+i))
		}
		return `{"rubrics":[` + strings.Join(all, ",") + `]}`
	}
	a := analysis.Of(analysis.Input{Path: "a.yaml", Text: "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Hi\n"})
	for reply, want := range map[string]string{
		list(2): "there should be 3 to 7 criteria, not 2", list(3): "", list(8): "there should be 3 to 7 criteria, not 8",
		strings.Replace(list(3), "names-b", "rubric-2", 1): "the id `rubric-2` says nothing about its criterion",
	} {
		j := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { return judge.Answer{Text: reply}, nil })
		made, err := draft.New(t.Context(), j, a, a.Suite().Cases[0])
		if notes := strings.Join(made.Notes, "|"); notes != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", reply, notes, err, want)
		}
	}
	if made, err := draft.New(t.Context(), nil, a, a.Suite().Cases[0]); len(made.Notes) > 0 || err != nil {
		t.Errorf("without a judge: %q, %v", made.Notes, err)
	}
}

// TestStated checks that things without a criterion are noted. In the newest version the outcome may
// be in the description.
func TestStated(t *testing.T) {
	for _, file := range []string{"evalcases:\n  - id: a\n    expected_outcome: \"%s\"\n    input: Hi\n", "prompts: ['{{ q }}']\ntests:\n  - id: a\n    description: \"%s\"\n    vars:\n      q: Hi\n"} {
		for outcome, want := range map[string]string{
			"Names A. Names B. Names C. Names D. Names E. Names F. Names G.":                     "",
			"Names A. Names B. Names C. Names D. Names E. Names F. Names G. Names H and names I": "the expected outcome asks for 9 things, but a draft has at most 7 criteria; missing: `Names H`, `Names I`",
		} {
			a := analysis.Of(analysis.Input{Path: "a.eval.yaml", Text: fmt.Sprintf(file, outcome)})
			made, err := draft.FromOutcome(a, append(a.Suite().Cases, a.Suite().Skipped...)[0])
			if notes := strings.Join(made.Notes, "|"); notes != want || err != nil || len(made.Criteria) != 7 {
				t.Errorf("%s: %q, %v, %v; want %q", fmt.Sprintf(file, outcome), notes, err, made.Criteria, want)
			}
		}
	}
}
