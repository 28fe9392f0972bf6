package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readProgram reads a program that grades.
func (r *listReader) readProgram(g *rubric.Grader, n *yaml.Node) (keep bool) {
	command := n.Get("command")
	if older := n.Get("script"); older != nil {
		switch {
		case r.Version == agentv.Head:
			r.refuseCase(ScriptRetired, older, "")
			return true
		case command.IsNull():
			r.addLoss(Deprecated, rubric.Warns, older, "script")
			command = older
		}
	}
	if command == nil {
		return r.skipEntry(CommandMissing, n, "")
	}
	g.Code = &rubric.Code{Argv: r.readArgv(command), MaxCalls: agentv.MaxModelCalls(n.Get("target"))}
	g.Code.Dir, _ = n.Get("cwd").Str()
	known := []string{"command", "script", "cwd", "target", "preprocessors"}
	if r.Version == agentv.Stable { // which hands `config` on as one more key
		g.Code.Config = r.otherKeys(n, known)
	} else {
		g.Code.Config = r.mergeConfig(n, r.otherKeys(n, append(known, "config")))
	}
	g.Assert.Config = g.Code.Config
	return true
}

// readArgv is a program's arguments. A text is a line for the shell.
func (r *listReader) readArgv(n *yaml.Node) (argv []string) {
	if line, ok := n.Str(); ok {
		if line = strings.TrimSpace(line); line == "" {
			r.refuseCase(CommandEmpty, n, "")
			return nil
		}
		return []string{"sh", "-lc", line}
	}
	if !n.IsSeq() {
		r.refuseCase(CommandNotList, n, "")
		return nil
	}
	for _, item := range n.List() {
		arg, ok := item.Str()
		if !ok || strings.TrimSpace(arg) == "" {
			r.refuseCase(CommandItem, item, "")
			return nil
		}
		argv = append(argv, arg)
	}
	if len(argv) == 0 {
		r.refuseCase(CommandEmpty, n, "")
	}
	return argv
}

// filePrefix marks a prompt that is in a file.
const filePrefix = "file://"

// readPrompt reads a judge's own template: a text, a file, a program that writes it,
// or any JSON value, which is taken as its text.
func (r *listReader) readPrompt(n *yaml.Node) *rubric.Prompt {
	if n.IsNull() {
		return nil
	}
	p := &rubric.Prompt{Span: r.spanOf(n)}
	if text, ok := n.Str(); ok {
		if path, isFile := strings.CutPrefix(text, filePrefix); isFile {
			p.Path = path
		}
		p.Text = text
		return p
	}
	command := n.Get("command")
	if command == nil && r.Version == agentv.Stable {
		command = n.Get("script")
	}
	switch {
	case command != nil:
		p.Script = r.readArgv(command)
		p.Config, _ = n.Get("config").Any().(map[string]any)
	case r.Version == agentv.Stable && n.IsMap():
		r.refuseCase(CommandMissing, n, "prompt")
	case n.IsMap() || n.IsSeq():
		p.Text = yaml.EncodeJSON(n, "  ")
	default:
		return nil
	}
	return p
}
