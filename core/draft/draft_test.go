package draft_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var two = []draft.Criterion{
	{ID: "greets", ExpectedOutcome: "Greets the user", Weight: 2, Required: true},
	{ID: "name", ExpectedOutcome: `Says: "your name"`, Weight: 0.5},
}

// TestInsertWritesInTheFilesStyle gives the text before and the text inserted;
// ‸ is where it has to appear.
func TestInsertWritesInTheFilesStyle(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"block, dashes indented", "a.yaml", "evalcases:\n  - id: a\n    input: Hi # why\n‸\n  # next\n  - id: b\n    input: [x]\n",
			"    rubrics:\n      - id: greets\n        expected_outcome: Greets the user\n        weight: 2\n        required: true\n      - id: name\n        expected_outcome: \"Says: \\\"your name\\\"\"\n        weight: 0.5\n        required: false"},
		{"block, dashes not indented", "a.yaml", "evalcases:\n- id: a\n  input: Hi\n‸\n- id: b\n",
			"  rubrics:\n  - id: greets\n    expected_outcome: Greets the user\n    weight: 2\n    required: true\n  - id: name\n    expected_outcome: \"Says: \\\"your name\\\"\"\n    weight: 0.5\n    required: false"},
		{"flow", "a.yaml", "evalcases:\n  - {id: a, input: Hi‸ }\n",
			", rubrics: [{id: greets, expected_outcome: Greets the user, weight: 2, required: true}, {id: name, expected_outcome: \"Says: \\\"your name\\\"\", weight: 0.5, required: false}]"},
		{"JSON line", "a.jsonl", "{\"id\": \"a\", \"input\": \"Hi\"‸}\n{\"id\": \"b\"}\n",
			", \"rubrics\": [{\"id\": \"greets\", \"expected_outcome\": \"Greets the user\", \"weight\": 2, \"required\": true}, {\"id\": \"name\", \"expected_outcome\": \"Says: \\\"your name\\\"\", \"weight\": 0.5, \"required\": false}]"},
		{"no line break at the end", "a.yaml", "evalcases:\n  - id: a\n    input: |-\n      Hi\n‸",
			"    rubrics:\n      - id: greets\n        expected_outcome: Greets the user\n        weight: 2\n        required: true\n      - id: name\n        expected_outcome: \"Says: \\\"your name\\\"\"\n        weight: 0.5\n        required: false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.text, "‸")
			body, want := before+after, before+tt.want+after
			if strings.HasSuffix(before, "\n") { // the new lines come with their own break
				body, want = strings.TrimSuffix(before, "\n")+after, before+tt.want+after
			}
			tree := parse(tt.file, body)
			edits, err := draft.Insert(tree, firstCase(tree), "rubrics", two)
			if err != nil {
				t.Fatal(err)
			}
			got, err := text.Apply(body, edits)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestInsertRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a rubric that is there, even null", "evalcases:\n  - id: a\n    rubrics: null\n", "has `rubrics` already"},
		{"a case that is no mapping", "evalcases:\n  - hello\n", "a mapping with keys"},
		{"an anchored case that another repeats", "evalcases:\n  - &a\n    id: a\n  - *a\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := parse("a.yaml", tt.text)
			_, err := draft.Insert(tree, firstCase(tree), "rubrics", two)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestInsertKeepsEveryByte(t *testing.T) {
	body := "# top\r\nevalcases: # here\r\n  - id: a # one\r\n    input: >+\r\n      Hi\r\n\r\n\r\n  # two\r\n  - id: b\r\n    input: x\r\n"
	tree := parse("a.yaml", body)
	for _, entry := range tree.Root().Get("evalcases").List() {
		edits, err := draft.Insert(tree, entry, "rubrics", two)
		if err != nil {
			t.Fatalf("%s: %v", entry.Path(), err)
		}
		for _, e := range edits {
			if !e.Span.Empty() {
				t.Errorf("%s: edit %v replaces text", entry.Path(), e)
			}
			if strings.Contains(strings.ReplaceAll(e.New, "\r\n", ""), "\n") {
				t.Errorf("%s: edit has a line break that is not the file's: %q", entry.Path(), e.New)
			}
		}
	}
}

func TestDecodeAndFaults(t *testing.T) {
	criteria, err := draft.Decode("```json\n{\"rubrics\":[{\"id\":\"a\",\"expected_outcome\":\"o\"},{\"id\":\"a\",\"expected_outcome\":\" \",\"weight\":0}]}\n```")
	if err != nil {
		t.Fatal(err)
	}
	if c := criteria[0]; c.Weight != 1 || !c.Required {
		t.Errorf("defaults: got %+v", c)
	}
	got := strings.Join(draft.Faults(criteria), "\n")
	for _, want := range []string{"`a` is there twice", "`a` has no text", "weight of `a`"} {
		if !strings.Contains(got, want) {
			t.Errorf("faults lack %q:\n%s", want, got)
		}
	}
	for _, reply := range []string{"", "[]", "{}", "Sure: {\"rubrics\":[]} bye", `{"rubrics":[{"id":1,"expected_outcome":"x"}]}`, `{"rubrics":[{"id":"x"}]}`} {
		if _, err := draft.Decode(reply); err == nil {
			t.Errorf("Decode(%q) accepted", reply)
		}
	}
}

// TestGenerate asks three times at most, says what was wrong with a reply, and
// in the end takes an odd number of sound criteria.
func TestGenerate(t *testing.T) {
	one := `{"rubrics":[{"id":"a","expected_outcome":"o"}]}`
	three := `{"rubrics":[{"id":"a","expected_outcome":"o"},{"id":"b","expected_outcome":"p"},{"id":"c","expected_outcome":"q"}]}`
	for _, c := range []struct {
		name    string
		replies []string
		want    int // criteria; 0: an error
		asked   int
	}{
		{"at once", []string{three}, 3, 1},
		{"after rubbish", []string{"no", three}, 3, 2},
		{"rubbish for ever", []string{"no"}, 0, 3},
		{"too few for ever", []string{one}, 1, 3},
		{"too few, then enough", []string{one, three}, 3, 2},
		{"unusable for ever", []string{`{"rubrics":[{"id":"","expected_outcome":"o"}]}`}, 0, 3},
	} {
		var asked []judge.Question
		j := judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			asked = append(asked, q)
			return judge.Answer{Text: c.replies[min(len(asked), len(c.replies))-1]}, nil
		})
		got, err := draft.Generate(t.Context(), j, &rubric.Case{ID: "c", ExpectedOutcome: "O"})
		if len(got) != c.want || (err == nil) != (c.want > 0) || len(asked) != c.asked {
			t.Errorf("%s: %d criteria, %v, asked %d times", c.name, len(got), err, len(asked))
		}
		if len(asked) > 1 && (asked[1].Attempt != 1 || !strings.Contains(asked[1].User, "could not be used")) {
			t.Errorf("%s: the second question does not say what was wrong", c.name)
		}
	}
	away := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{}, judge.ErrUnreachable
	})
	if _, err := draft.Generate(t.Context(), away, &rubric.Case{ID: "c"}); !errors.Is(err, judge.ErrUnreachable) {
		t.Errorf("a judge that is away: %v", err)
	}
}

func parse(name, body string) *yaml.Tree {
	if strings.HasSuffix(name, ".jsonl") {
		return yaml.ParseLines(text.New(name, body))
	}
	return yaml.Parse(text.New(name, body))
}

func firstCase(tree *yaml.Tree) *yaml.Node {
	if list := tree.Root().Get("evalcases"); list != nil {
		return list.List()[0]
	}
	return tree.Root()
}
