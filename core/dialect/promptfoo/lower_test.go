package promptfoo_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestOwnIDs: what an editor runs for an entry of the tests is what a run of the file makes of that entry.
func TestOwnIDs(t *testing.T) {
	r := dialect.Reader{ReadFile: func(name string) (string, bool) {
		return "name,__expected\nAda,Hello Ada\nBob,Hello Bob\n", name == "tests.csv"
	}}
	const config = `
prompts: ['Hello {{name}}']
providers: [echo]
tests:
  - file://tests.csv
  - vars: {name: Eve}
  - vars: {name: [Joe, Kim]}
`
	read := func() []*rubric.Case {
		return promptfoo.Lower(r, yaml.Parse(text.New("", config)), promptfoo.Config).Cases
	}
	all := read()
	r.Own = true
	own := read()
	wants := [][]string{{"test-1.1", "test-1.2"}, {"test-2"}, {"test-3.1", "test-3.2"}}
	if len(own) != len(wants) {
		t.Fatal(len(own))
	}
	for i, want := range wants {
		var got []string
		for _, c := range all {
			if run.MatchIDs(own[i].ID)(c) {
				got = append(got, c.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s runs %q", own[i].ID, got)
		}
	}
}

// TestTitles: a test is called by its description, or else by its own values.
func TestTitles(t *testing.T) {
	const config = `
prompts: ['{{language}}: {{question}} {{at}}']
providers: [echo]
defaultTest: {vars: {language: en}}
tests:
  - {description: Greeting, vars: {question: Hi}}
  - vars: {question: "What is\n the capital of France?", at: 3}
  - vars: {question: [One, Two]}
  - assert: []
`
	var got []string
	for _, c := range promptfoo.Lower(dialect.Reader{}, yaml.Parse(text.New("", config)), promptfoo.Config).Cases {
		got = append(got, c.Title)
	}
	if want := []string{"Greeting", "3, What is the capital of France?", "One", "Two", ""}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// lower returns the cases of a configuration beside files.
func lower(config string, files map[string]string) []*rubric.Case {
	r := dialect.Reader{
		ReadFile:  func(name string) (string, bool) { body, found := files[name]; return body, found },
		ListFiles: func(pattern string) []string { return strings.Fields(files["ls "+pattern]) },
	}
	return promptfoo.Lower(r, yaml.Parse(text.New("", config)), promptfoo.Config).Cases
}

// TestUnreadable: a row is not asked if what it asks is not known here.
func TestUnreadable(t *testing.T) {
	files := map[string]string{"p.py": "def get_prompt(context): ...", "p/a.prompt": "Say", "p/b.txt": "Say", "a.pdf": "%PDF", "ls p/{b,c}.txt": "p/b.txt"}
	for _, c := range []struct{ config, want string }{
		{"prompts: [file://p.py]", "its prompt `file://p.py` is a program, or is not read here"},
		{"prompts: ['file://p.js:fn']", "its prompt `file://p.js:fn` is a program, or is not read here"},
		{"prompts: [exec:./x.sh]", "its prompt `exec:./x.sh` is a program, or is not read here"},
		{"prompts: [p/a.prompt]", "its prompt `p/a.prompt` is a program, or is not read here"},
		{"prompts: [langfuse://greeting]", "its prompt `langfuse://greeting` is a program, or is not read here"},
		{"prompts: ['p/{b,c}.txt']", ""},
		{"prompts: ['Read https://example.com/ for me']", ""},
		{"prompts: ['{{ _conversation }}']", "its prompt has `_conversation`, which needs the answers to other tests, and is not available here"},
		{"prompts: ['{{ _conversation }}']\ndefaultTest: {options: {disableConversationVar: true}}", ""},
		{"prompts: ['{{ env.A }} {{ env.B }}']\nenv: {A: 1}", "`env.B` is not in the file's `env`, and no other environment is read here"},
		{"tests: [{vars: {q: '{{ env.B }}'}}]", "`env.B` is not in the file's `env`, and no other environment is read here"},
		{"prompts: ['env.B {{ env.A }}']\nenv: {A: 1}", ""},
		{"tests: [{vars: {q: file://p.py}}]", "its variable `q` is from a program or a file that is not read here"},
		{"tests: [{vars: {q: file://a.pdf}}]", "its variable `q` is from a program or a file that is not read here"},
		{"tests: [{vars: {q: package:a:b}}]", "its variable `q` is from a program or a file that is not read here"},
		{"tests: [{vars: {q: file://no.txt}}]", "its variable `q` is from a program or a file that is not read here"},
		{"tests: [{vars: {q: file://p/b.txt}}]", ""},
	} {
		for _, got := range lower(c.config+"\nproviders: [echo]\n", files) {
			if got.Unreadable != c.want {
				t.Errorf("%s: %q", c.config, got.Unreadable)
			}
		}
	}
}

// TestOwnTargets: a test's own provider answers it, or else that of `defaultTest`.
func TestOwnTargets(t *testing.T) {
	const config = `
prompts: [Hello]
providers: [echo]
defaultTest: {provider: exec:replaced}
tests: [{vars: {q: 1}}, {provider: exec:own}, {provider: {id: openai:gpt-4.1-mini}}]
`
	for i, c := range lower(config, nil) {
		if want := []string{"cli:replaced {PROMPT}", "cli:own {PROMPT}", "openai:gpt-4.1-mini"}[i]; c.Target != want {
			t.Errorf("%s: %q", c.ID, c.Target)
		}
	}
}

// TestVariableFiles: files of variables are beside the tests that name them.
func TestVariableFiles(t *testing.T) {
	files := map[string]string{"sub/t.yaml": "- vars: v.yaml\n- vars: [../w.yaml]\n", "sub/v.yaml": "q: v", "w.yaml": "q: w", "sub/d.yaml": "vars: w.yaml"}
	for i, c := range lower("prompts: ['{{ q }}']\nproviders: [echo]\ndefaultTest: file://sub/d.yaml\ntests: [file://sub/t.yaml, {vars: {}}]\n", files) {
		if want := []string{"v", "w", "w"}[i]; c.Question != want {
			t.Errorf("%s: %q", c.ID, c.Question)
		}
	}
}

// TestPromptFiles: what separates prompts, and what their labels are.
func TestPromptFiles(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"p.txt":   {"a\n--- \r\nb\n---\n  ---\n\nc", "a|b|c"},
		"p.csv":   {"prompt,label\n\"a, b\",short\n c ,long\n", "a, b|c"},
		"l.csv":   {"Prompt\na\n\nb\n", "a|b"},
		"p.jsonl": {"{}\n\n[]\n", "{}|[]"},
	} {
		var got []string
		for _, row := range lower("prompts: file://"+name+"\nproviders: [echo]\ntests: [{vars: {q: 1}}]\n", map[string]string{name: c.body}) {
			got = append(got, row.Question)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestPromptLabels: a table of prompts may have their labels.
func TestPromptLabels(t *testing.T) {
	files := map[string]string{"p.csv": "prompt,label\n\"Say, {{ q }}\",short\n\"Write, {{ q }}\",long\n"}
	cases := lower("prompts: file://p.csv\nproviders: [echo]\ntests: [{vars: {q: 1}, prompts: [long]}]\n", files)
	if len(cases) != 1 || cases[0].Question != "Write, 1" {
		t.Error(len(cases))
	}
}
