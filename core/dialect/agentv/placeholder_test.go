package agentv_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// TestFindMisquoted checks that exactly the placeholders are found whose quoted value would not be
// one word.
func TestFindMisquoted(t *testing.T) {
	for command, want := range map[string]string{
		`claude -p {PROMPT}`: "",
		`claude --prompt={PROMPT} --id x{EVAL_ID}y > {OUTPUT_FILE}`: "",
		`claude -p "attempt {ATTEMPT}" {PROMPT}`:                    "",
		`printf '%s|%s' {PROMPT} "a \" b" 'it' {FILES}`:             "",
		`sh -c 'claude -p "$1"' sh {PROMPT}`:                        "",
		`answer=$(claude -p {PROMPT}); echo "$answer"`:              "",
		`echo "$(claude -p {PROMPT}) is said"`:                      "",
		`(cd x && ./agent {PROMPT})`:                                "",
		`cd "${DIR:-.}" && ./agent {PROMPT}`:                        "",
		`echo ${{ GREETING }} {PROMPT}`:                             "",
		`echo "${{ GREETING }}" {PROMPT}`:                           "",
		`cat <<< {PROMPT}`:                                          "",
		`echo $((1 + (2))) {PROMPT}`:                                "",
		`inspect eval {PROMPT}`:                                     "",
		`eval "$(ssh-agent)"; ./agent {PROMPT}`:                     "",
		`echo \\{PROMPT}`:                                           "",
		`awk '{ print }' {FILES} # the files`:                       "",
		`echo '{"a": 1}' {PROMPT}`:                                  "",
		"# asks\nclaude -p {PROMPT}":                                "",

		`claude -p "{PROMPT}"`:                   "in double quotes: claude -p {PROMPT}",
		`claude -p '{PROMPT}'`:                   "in single quotes: claude -p {PROMPT}",
		`claude --prompt="{PROMPT}"`:             "in double quotes: claude --prompt={PROMPT}",
		`claude -p "Answer: {PROMPT}"`:           "in double quotes",
		`claude -p "$(echo a)" "{GUIDELINES} x"`: "in double quotes",
		`bash -c "claude -p {PROMPT}"`:           "in double quotes",
		`bash -c 'claude -p {PROMPT}'`:           "in single quotes",
		"echo `claude -p {PROMPT}`":              "in backticks",
		"echo `echo $(claude -p {PROMPT})`":      "in backticks",
		"cat <<EOF\n{PROMPT}\nEOF":               "in a here-document",
		"cat <<-'EOF' | x\n{PROMPT}\nEOF":        "in a here-document",
		`echo $(( {EVAL_ID} ))`:                  "in `((…))`",
		`echo ${PROMPT}`:                         "right after a `$`",
		`echo ${X:-{PROMPT}}`:                    "in `${…}`",
		`echo \{PROMPT}`:                         "right after a backslash",
		`echo $'a\'{PROMPT}'`:                    "after `$'`",
		`echo x # {PROMPT}`:                      "in a comment",
		`true; eval claude -p {PROMPT}`:          "in a command of `eval`",
		`./agent --file "{path}"`:                "in double quotes: ./agent --file {path}",
		`'{basename}'`:                           "in single quotes: {basename}",
	} {
		m, _ := agentv.FindMisquoted(command)
		got := m.Context
		if m.UnquotedCommand != "" {
			got += ": " + m.UnquotedCommand
		}
		if got != want {
			t.Errorf("%s\ngot  %q\nwant %q", command, got, want)
		}
	}
}
