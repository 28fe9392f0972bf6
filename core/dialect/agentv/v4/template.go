package v4

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/yaml"
)

// templateDir is the folder of templates that go by a name alone.
const templateDir = ".agentv/templates/"

// assertionReader reads assertion lists, and the templates that they include.
func (l *suiteLoader) assertionReader() assertion.Reader {
	r := assertion.Reader{Version: l.Version}
	if l.Version == agentv.Head {
		r.DefaultPrompt = l.root.Get("default_test").Get("options").Get("rubric_prompt")
	}
	if l.included != nil {
		r.ShownAt = &l.included.span
	}
	if l.ReadFile != nil {
		r.Include = l.findTemplate
	}
	return r
}

// findTemplate finds the template that ref names in the file from: by its path as
// seen from there, or by its name.
func (l *suiteLoader) findTemplate(ref, from string) (string, *yaml.Tree) {
	names := []string{templateDir + ref + ".yaml", templateDir + ref + ".yml"}
	if strings.Contains(ref, "/") || path.Ext(ref) != "" {
		names = []string{path.Join(path.Dir(from), ref)}
	}
	for _, name := range names {
		if tree := l.Cache.loadTree(name, yaml.Parse, l.ReadFile); tree != nil {
			return name, tree
		}
	}
	return "", nil
}
