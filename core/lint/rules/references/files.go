// Package references has the rules about names and what they refer to: ids, files, targets, variables
// of prompts, members, fields and labels. The file files.go finds the files that cases refer to.
package references

import (
	"embed"
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

// eachMessageFile visits the files that messages refer to.
func eachMessageFile(p *lint.Pass, visit func(value *yaml.Node, path string)) {
	p.EachNode(func(n *yaml.Node) {
		if kind := n.Text(); n.Key == nil || n.Key.Key.Value != "type" || kind != "file" {
			return
		}
		value := n.Parent.Get("value")
		if path, ok := value.Str(); ok && path != "" {
			visit(value, path)
		}
	})
}

// eachPrompt visits the judge prompts that may be files, each once.
func eachPrompt(p *lint.Pass, visit func(*rubric.Prompt)) {
	seen := map[*rubric.Prompt]bool{}
	p.EachDistinctGrader(func(g *rubric.Grader) {
		if g.Prompt != nil && g.Prompt.Path != "" && !seen[g.Prompt] {
			seen[g.Prompt] = true
			visit(g.Prompt)
		}
	})
}

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
				d := p.Report(value.Span, "there is no file `%s` in the eval file's folder or above it", lint.Abbreviate(path))
				suggestFile(p, d, value, path)
			}
		})
		p.EachDistinctGrader(func(g *rubric.Grader) {
			argv, dir := programWords(g)
			for _, arg := range argv {
				if rubric.IsProgram(arg) && !path.IsAbs(arg) && !strings.HasPrefix(arg, "-") && isMissing(p, arg) && isMissing(p, path.Join(dir, arg)) {
					p.Report(g.SelectionSpan, "there is no file `%s` for `%s` to run", lint.Abbreviate(arg), lint.Abbreviate(g.Name)).Severity = diag.Error
				}
			}
		})
		p.EachNode(func(n *yaml.Node) { // AgentV 4 reads those of every assertion, although only judges have any
			if n.Key == nil || n.Key.Key.Value != "preprocessors" || p.Suite.Version != string(agentv.V4) || n.Parent.Parent != nil && n.Parent.Get("type") == nil {
				return
			}
			loss := "skips the test"
			if n.Parent.Parent == nil {
				loss = "refuses the file"
			}
			for _, item := range n.List() {
				last := item.Get("command")
				if words := last.List(); len(words) > 0 {
					last = words[len(words)-1]
				}
				if file := last.Text(); rubric.IsProgram(file) && isMissing(p, file) {
					p.Report(last.Span, "there is no file `%s` for this preprocessor; the runner %s", lint.Abbreviate(file), loss).Severity = diag.Error
				}
			}
		})
		environment := p.Tree.Root().Get("environment")
		if recipe := environment.Text(); strings.HasPrefix(recipe, v4.FileScheme) && isMissing(p, v4.TrimFileScheme(recipe)) {
			p.Report(environment.Span, "there is no file `%s`; the runner refuses the file", lint.Abbreviate(v4.TrimFileScheme(recipe))).Severity = diag.Error
		}
		eachPrompt(p, func(prompt *rubric.Prompt) {
			if prompt.IsUnread() && isMissing(p, prompt.Path) {
				effect := "the runner's judge gets the path as its prompt"
				if p.Suite.Version != "" {
					effect = "the runner skips the test"
				}
				d := p.Report(prompt.Span, "there is no file `%s`; %s", lint.Abbreviate(prompt.Path), effect)
				d.Severity = diag.Error
				suggestFile(p, d, p.NodeAt(prompt.Span), prompt.Path)
			}
		})
	},
})

// suggestFile adds the fix that names the most similar file of the same folder in place of a missing one, which ends n's text.
// The message stays the same, because some hosts list no files.
func suggestFile(p *lint.Pass, d *diag.Diagnostic, n *yaml.Node, missing string) {
	if n == nil || p.ListFiles == nil {
		return
	}
	written := n.Text()
	folder, name := path.Split(missing)
	names := p.ListFiles(folder + "*")
	for i := range names {
		names[i] = path.Base(names[i])
	}
	if near := spell.Nearest(name, names); near != "" && strings.HasSuffix(written, name) {
		d.Fixes = fix.ChangeTo(n, strings.TrimSuffix(written, name)+near)
	}
}

// isMissing reports whether a file does not exist. outside-file reports files outside the repository.
func isMissing(p *lint.Pass, reference string) bool {
	_, found := p.ReadFile(reference)
	return !found && (p.OutsideReason == nil || p.OutsideReason(reference) == "")
}

// programWords returns the arguments of the command that grades or writes the judge's prompt, and its
// folder. It returns none for a shell line that is more than plain words.
func programWords(g *rubric.Grader) (argv []string, dir string) {
	switch {
	case g.Code == nil && g.Prompt == nil:
		return nil, ""
	case g.Code == nil:
		return g.Prompt.Script, ""
	case len(g.Code.Argv) != 3 || g.Code.Argv[1] != "-lc":
		return g.Code.Argv, g.Code.Dir
	case strings.ContainsAny(g.Code.Argv[2], "\"'`$&|;<>(){}[]*?~#\\!\n"):
		return nil, ""
	}
	return strings.Fields(g.Code.Argv[2]), g.Code.Dir
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "outside-file",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.OutsideReason == nil {
			return
		}
		eachMessageFile(p, func(value *yaml.Node, path string) {
			if why := p.OutsideReason(path); why != "" {
				p.Report(value.Span, "`%s` is not read: %s", lint.Abbreviate(path), why)
			}
		})
		eachPrompt(p, func(prompt *rubric.Prompt) {
			if why := p.OutsideReason(prompt.Path); why != "" {
				p.Report(prompt.Span, "the prompt `%s` is not read: %s", lint.Abbreviate(prompt.Path), why)
			}
		})
	},
})

//go:embed *.md
var pages embed.FS
