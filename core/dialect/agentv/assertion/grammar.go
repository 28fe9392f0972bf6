package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// grammar is what a version calls things: Stable has `assertions`, and `rubrics`
// in it, where Head has `assert` and `llm-rubric`.
type grammar struct {
	lists  []string // where a list is in a case or a suite; the first that is there counts
	nested []string // the same within `execution`
	name   string   // what a grader's name is under
	group  string   // the name of the rubric that plain texts become
	judge  string   // the type of a rubric
	forms  map[string]form
}

func grammarOf(v agentv.Version) grammar {
	if v == agentv.Stable {
		return grammar{
			lists: []string{"assertions", "assert"}, nested: []string{"evaluators"},
			name: "name", group: "rubrics", judge: "llm-grader", forms: stableForms(),
		}
	}
	return grammar{
		lists: []string{"assert"}, nested: []string{"assert"},
		name: "metric", group: "llm-rubric", judge: "llm-rubric", forms: headForms(),
	}
}

// first is the first value under keys that is not null, or nil.
func first(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); !v.IsNull() {
			return v
		}
	}
	return nil
}
