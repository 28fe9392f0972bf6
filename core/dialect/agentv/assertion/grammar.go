package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// versionKeys is what a version calls things: Stable has `assertions`, and `rubrics`
// in it, where Head has `assert` and `llm-rubric`.
type versionKeys struct {
	lists      []string // where a list is in a case or a suite; the first that is there counts
	execution  []string // the same within `execution`
	graderName string   // what a grader's name is under
	rubricName string   // the name of the rubric that plain texts become
	rubricType string   // the type of a rubric
	types      map[string]entryType
}

func keysFor(v agentv.Version) versionKeys {
	if v == agentv.Stable {
		return versionKeys{
			lists: []string{"assertions", "assert"}, execution: []string{"evaluators"},
			graderName: "name", rubricName: "rubrics", rubricType: "llm-grader", types: stableTypes(),
		}
	}
	return versionKeys{
		lists: []string{"assert"}, execution: []string{"assert"},
		graderName: "metric", rubricName: "llm-rubric", rubricType: "llm-rubric", types: headTypes(),
	}
}

// firstValue is the first value under keys that is not null, or nil.
func firstValue(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); !v.IsNull() {
			return v
		}
	}
	return nil
}
