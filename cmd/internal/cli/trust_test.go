package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// TestConsentQuestion answers the question that a terminal shows.
func TestConsentQuestion(t *testing.T) {
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, t.TempDir())
	}
	dir := write(t, map[string]string{
		".git/HEAD": "", "targets.yaml": "targets: [{ name: it, provider: cli, command_template: echo Fine }]\n",
		"x.yaml": "execution: { target: it }\ntests: [{ id: a, criteria: C, input: Q, assertions: [{ type: contains, value: Fine }] }]\n",
	})
	const question = "The files name what would run:\n  target `it`, which "
	for _, c := range []struct {
		answer string
		code   int
		want   string
	}{
		{"", 2, question},
		{"\n", 2, question},
		{"no\n", 2, "nothing was run"},
		{"yesterday\n", 2, "nothing was run"},
		{" Yes \n", 0, question},
		{"", 0, ""}, // it was allowed before
	} {
		var stdout, stderr strings.Builder
		code := cli.OnTerminal([]string{"run", filepath.Join(dir, "x.yaml")}, strings.NewReader(c.answer), &stdout, &stderr)
		if code != c.code || !strings.Contains(stderr.String(), c.want) || c.want == "" && stderr.Len() > 0 {
			t.Errorf("%q: exit status %d: %s%s", c.answer, code, &stdout, &stderr)
		}
	}
}
