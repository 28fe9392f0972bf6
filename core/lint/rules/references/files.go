package references

import (
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// eachMessageFile visits the files that messages refer to.
func eachMessageFile(p *lint.Pass, visit func(value *yaml.Node, path string)) {
	p.EachPair(func(pair *yaml.Pair) {
		if kind, _ := pair.Value.Str(); pair.Key.Value != "type" || kind != "file" {
			return
		}
		value := pair.Value.Parent.Get("value")
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
