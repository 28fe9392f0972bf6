package references

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "missing-file",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		if p.ReadFile == nil || !p.HasCases() {
			return // the host cannot read files
		}
		eachMessageFile(p, func(value *yaml.Node, path string) {
			if isMissing(p, path) {
				p.Report(value.Span, "there is no file `%s` in the eval file's folder or above it", lint.Abbreviate(path))
			}
		})
		checkScripts(p)
		eachPrompt(p, func(prompt *rubric.Prompt) {
			if prompt.IsUnread() && isMissing(p, prompt.Path) {
				effect := "the runner's judge gets the path as its prompt"
				if p.Suite.Version != "" {
					effect = "the runner skips the test"
				}
				p.Report(prompt.Span, "there is no file `%s`; %s", lint.Abbreviate(prompt.Path), effect).Severity = diag.Error
			}
		})
	},
})

// isMissing reports whether a file does not exist. outside-file reports files outside the repository.
func isMissing(p *lint.Pass, reference string) bool {
	_, found := p.ReadFile(reference)
	return !found && (p.OutsideReason == nil || p.OutsideReason(reference) == "")
}

// checkScripts reports missing program files of code graders.
func checkScripts(p *lint.Pass) {
	p.EachDistinctGrader(func(g *rubric.Grader) {
		if g.Code == nil {
			return
		}
		for _, arg := range commandWords(g.Code.Argv) {
			if rubric.IsProgram(arg) && !path.IsAbs(arg) && !strings.HasPrefix(arg, "-") && isMissing(p, arg) && isMissing(p, path.Join(g.Code.Dir, arg)) {
				p.Report(g.SelectionSpan, "there is no file `%s` for `%s` to run", lint.Abbreviate(arg), lint.Abbreviate(g.Name)).Severity = diag.Error
			}
		}
	})
}

// commandWords returns the arguments of a command. It returns none for a shell line that is more
// than plain words.
func commandWords(argv []string) []string {
	if len(argv) != 3 || argv[1] != "-lc" {
		return argv
	}
	if strings.ContainsAny(argv[2], "\"'`$&|;<>(){}[]*?~#\\!\n") {
		return nil
	}
	return strings.Fields(argv[2])
}
