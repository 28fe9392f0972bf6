package rules_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// TestMisquotedPlaceholder: the fix removes the quotes in every YAML style. There is no fix if
// other words are inside them.
func TestMisquotedPlaceholder(t *testing.T) {
	const head = "targets:\n  - name: a\n    provider: cli\n    "
	for _, c := range []struct{ body, marked, fixed string }{
		{`command_template: 'claude -p "{PROMPT}"'`, "{PROMPT}", `command_template: 'claude -p {PROMPT}'`},
		{`commandTemplate: "claude -p \"{PROMPT}\" -v"`, "{PROMPT}", `commandTemplate: "claude -p {PROMPT} -v"`},
		{`command_template: 'claude {EVAL_ID} ''{EVAL_ID}'''`, "{EVAL_ID}", `command_template: 'claude {EVAL_ID} {EVAL_ID}'`},
		{"command_template: |\n      cat <<EOF | claude\n      {PROMPT}\n      EOF", "{PROMPT}", ""},
		{"command_template: x {FILES}\n    files_format: -f \"{path}\"", "{path}", "command_template: x {FILES}\n    files_format: -f {path}"},
		{`command: 'claude -p "{PROMPT}"'`, "{PROMPT}", `command: 'claude -p {PROMPT}'`},
		{"command: x\n    healthcheck: { command: 'test \"{EVAL_ID}\" = x' }", "{EVAL_ID}", "command: x\n    healthcheck: { command: 'test {EVAL_ID} = x' }"},
		{"command_template: x\n    healthcheck: { type: command, command_template: 'test \"{EVAL_ID}\" = x' }", "{EVAL_ID}", "command_template: x\n    healthcheck: { type: command, command_template: 'test {EVAL_ID} = x' }"},
	} {
		a := analysis.Of(analysis.Input{Path: "targets.yaml", Text: head + c.body + "\n"})
		i := slices.IndexFunc(a.Diagnostics(), func(d diag.Diagnostic) bool { return d.Code == "misquoted-placeholder" })
		if i < 0 {
			t.Errorf("%s: nothing is found", c.body)
			continue
		}
		d := a.Diagnostics()[i]
		if got := a.Source().Slice(d.Span); got != c.marked {
			t.Errorf("%s: %q is marked", c.body, got)
		}
		fixed := ""
		for _, f := range d.Fixes {
			after, err := text.Apply(a.Source().Body, f.Edits)
			if err != nil {
				t.Fatal(err)
			}
			fixed = after[len(head) : len(after)-1]
		}
		if fixed != c.fixed {
			t.Errorf("%s: fixed to %q", c.body, fixed)
		}
	}
}

// TestMisquotedPlaceholderOfProviders: a providers file names a command by a key or in an id.
func TestMisquotedPlaceholderOfProviders(t *testing.T) {
	for _, body := range []string{
		"- id: cli\n  label: a\n  config:\n    command: ask \"{PROMPT}\"\n",
		"- id: 'exec:ask \"{PROMPT}\"'\n  label: a\n",
	} {
		a := analysis.Of(analysis.Input{Path: "providers.yaml", Text: body})
		i := slices.IndexFunc(a.Diagnostics(), func(d diag.Diagnostic) bool { return d.Code == "misquoted-placeholder" })
		if i < 0 {
			t.Errorf("%s: nothing is found", body)
			continue
		}
		if d := a.Diagnostics()[i]; a.Source().Slice(d.Span) != "{PROMPT}" || len(d.Fixes) > 0 {
			t.Errorf("%s: %q is marked, with %d fixes", body, a.Source().Slice(d.Span), len(d.Fixes))
		}
	}
}
