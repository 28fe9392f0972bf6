package newer

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/yaml"
)

// templates is the folder of templates that go by a name alone.
const templates = ".agentv/templates/"

// assertions reads assertion lists, and the templates that they include.
func (l *lowering) assertions() assertion.Reader {
	r := assertion.Reader{Version: l.Version}
	if l.Version == agentv.Head {
		r.Prompt = l.root.Get("default_test").Get("options").Get("rubric_prompt")
	}
	if l.other != nil {
		r.Place = &l.other.span
	}
	if l.Files != nil {
		r.Include = l.template
	}
	return r
}

// template finds the template that ref names in the file from: by its path as
// seen from there, or by its name.
func (l *lowering) template(ref, from string) (string, *yaml.Tree) {
	names := []string{templates + ref + ".yaml", templates + ref + ".yml"}
	if strings.Contains(ref, "/") || path.Ext(ref) != "" {
		names = []string{path.Join(path.Dir(from), ref)}
	}
	for _, name := range names {
		if tree := l.Others.tree(name, yaml.Parse, l.Files); tree != nil {
			return name, tree
		}
	}
	return "", nil
}
