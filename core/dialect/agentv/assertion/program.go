package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readProgram reads a grading program.
func (r *listReader) readProgram(g *rubric.Grader, n *yaml.Node) (keep bool) {
	command := n.Get("command")
	if older := n.Get("script"); older != nil {
		switch {
		case r.Version == agentv.Head:
			r.refuseCase(ScriptRetired, older, "")
			return true
		case command.IsNull():
			r.AddLoss(Deprecated, rubric.Warns, older, "script")
			command = older
		}
	}
	if command == nil {
		return r.Skip(CommandMissing, n, "")
	}
	proxy := n.Get("target")
	if r.Version == agentv.Head {
		if proxy != nil {
			r.refuseCase(RubricField, proxy, "target")
		}
		proxy = n.Get("provider")
	}
	g.Code = &rubric.Code{Argv: r.readArgv(command), MaxCalls: seed.MaxModelCalls(proxy), Dir: n.Get("cwd").Text()}
	known := []string{"command", "script", "cwd", "target", "preprocessors", "config"}
	if r.Version == agentv.Head {
		known = append(known, "provider")
	}
	g.Code.Config = r.mergeConfig(n, r.otherKeys(n, known))
	g.Assert.Config = g.Code.Config
	return true
}

// readArgv returns a program's arguments. A string is a line for the shell.
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

// DefaultPreprocessors returns the preprocessors for all judges of the file. Only V4 has any.
func (r Reader) DefaultPreprocessors() []rubric.Preprocessor {
	return r.newListReader().readPreprocessors(nil)
}

// readPreprocessors returns a judge's preprocessors: those of the file and its own.
func (r *listReader) readPreprocessors(own *yaml.Node) (all []rubric.Preprocessor) {
	if r.Version != agentv.V4 {
		return nil
	}
	for _, n := range []*yaml.Node{r.Preprocessors, own} {
		if n != nil && !n.IsSeq() {
			r.refuseCase(Preprocessors, n, "")
		}
		var list []rubric.Preprocessor
		for _, item := range n.List() {
			name := item.Get("type").Text()
			command := item.Get("command")
			if strings.TrimSpace(name) == "" || !command.IsSeq() || len(command.List()) == 0 {
				r.refuseCase(Preprocessors, item, "")
				continue
			}
			list = append(list, rubric.Preprocessor{Type: rubric.MediaType(name), Command: r.readArgv(command)})
		}
		all = rubric.MergePreprocessors(all, list)
	}
	return all
}

// readPrompt reads a judge's own template: a string, a file, a program that writes it, or any
// JSON value, which becomes text.
func (r *listReader) readPrompt(n *yaml.Node) *rubric.Prompt {
	if n.IsNull() {
		return nil
	}
	p := &rubric.Prompt{Span: r.SpanOf(n)}
	if text, ok := n.Str(); ok {
		if path, isFile := strings.CutPrefix(text, "file://"); isFile {
			p.Path = path
		}
		p.Text = text
		return p
	}
	command := n.Get("command")
	if command == nil && r.Version == agentv.V4 {
		command = n.Get("script")
	}
	switch {
	case command != nil:
		p.Script = r.readArgv(command)
		p.Config, _ = n.Get("config").Any().(map[string]any)
	case r.Version == agentv.V4 && n.IsMap():
		r.refuseCase(CommandMissing, n, "prompt")
	case n.IsMap() || n.IsSeq():
		p.Text = yaml.EncodeJSON(n, "  ")
	default:
		return nil
	}
	return p
}

// readSet reads several graders that count as one.
func (r *listReader) readSet(g *rubric.Grader, n *yaml.Node) (keep bool) {
	members := n.Get("assert")
	if !members.IsSeq() {
		return r.Skip(SetMissing, n, g.Name)
	}
	config, inSet := r.inheritedConfig, r.inSet
	r.inheritedConfig, r.inSet = r.mergeConfig(n, nil), true
	g.Members = r.readList(members)
	r.inheritedConfig, r.inSet = config, inSet
	if len(g.Members) == 0 {
		return r.Skip(SetEmpty, n, g.Name)
	}
	g.Assert.Config, _ = n.Get("config").Any().(map[string]any)
	r.readThreshold(g, n.Get("threshold"))
	return true
}

// readComposite reads V4's sets. Their members need a name and a known type.
func (r *listReader) readComposite(g *rubric.Grader, n *yaml.Node) (keep bool) {
	members, aggregator := agentv.FirstValue(n, "assertions", "assert", "evaluators"), n.Get("aggregator")
	switch {
	case !members.IsSeq():
		return r.Skip(agentv.MembersMissing, n, "")
	case !aggregator.IsMap():
		return r.Skip(agentv.AggregatorMissing, n, "")
	}
	typ := aggregator.Get("type").Text()
	if typ != "weighted_average" {
		typ = strings.ReplaceAll(typ, "_", "-")
	}
	switch typ {
	case "code-judge", "llm-judge":
		return r.Skip(Deprecated, aggregator.Get("type"), typ)
	case "weighted_average", "threshold", "code-grader", "llm-grader":
	default:
		return r.Skip(agentv.AggregatorType, n, "")
	}
	before := r.inSet
	r.inSet = true
	for _, item := range r.expandIncludes(members, nil) {
		at := r.At
		r.At = item.at
		if member := r.readMember(item.node); member != nil {
			g.Members = append(g.Members, member)
		}
		r.At = at
	}
	r.inSet = before
	if len(g.Members) == 0 {
		return r.Skip(agentv.NoMembers, n, "")
	}
	return r.readAggregator(g, typ, aggregator)
}

func (r *listReader) readMember(n *yaml.Node) *rubric.Grader {
	name := n.Get("name").Text()
	if _, known := r.keys.types[n.Get("type").Text()]; name == "" || !known {
		lacking := "type"
		if name == "" {
			lacking = "name"
		}
		r.Skip(agentv.EvaluatorInvalid, n, lacking)
		return nil
	}
	return r.readEntry(n)
}

func (r *listReader) readAggregator(g *rubric.Grader, typ string, n *yaml.Node) (keep bool) {
	a := &rubric.Aggregator{Type: typ}
	g.Combine = a
	switch typ {
	case "weighted_average":
		a.Weights = seed.ReadMemberWeights(n.Get("weights"))
	case "threshold":
		share, ok := readShare(n.Get("threshold"))
		if !ok {
			return r.Skip(ThresholdOutside, n, "")
		}
		a.Threshold = &share
	case "code-grader": // the domain keeps the older names
		a.Type = "code_judge"
		if a.Path = n.Get("path").Text(); a.Path == "" {
			return r.Skip(agentv.AggregatorPath, n, "")
		}
	default:
		a.Type, a.Prompt = "llm_judge", n.Get("prompt").Text()
	}
	return true
}
