package analysis

import (
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// aroundCases reads what stands around the cases of an evalset.
func (x *context) aroundCases(l *layout) bool {
	x.text = l.head + l.tail
	x.source = text.New(x.input.Path, x.text)
	file, list := caseless(x.input.Path, x.source, len(l.head))
	if list == nil {
		return false
	}
	x.frame, x.key = far(file.Tree), list.Key
	return true
}

// caseless reads an evalset whose cases have been taken out at some place. The list
// is nil if that is not where they were.
func caseless(path string, source *text.Source, at int) (file adk.File, list *yaml.Pair) {
	file = adk.Read(path, source)
	root := file.Tree.Root()
	list = root.Pair(adk.CasesKey)
	if file.Role != adk.EvalSet || list == nil || list != adk.Pair(root, adk.CasesKey) || len(file.Tree.Docs) > 1 {
		return file, nil
	}
	empty := list.Value
	if empty.Kind != yaml.Sequence || empty.Style != yaml.Flow || len(empty.Items) > 0 || empty.Span.Start >= at || at >= empty.Span.End {
		return file, nil
	}
	empty.Recovered = true
	return file, list
}

// ofADK is a part of a file of ADK, or all of it.
func (x *context) ofADK(source *text.Source, file adk.File) *Part {
	return &Part{Source: source, Tree: file.Tree, Suite: x.notOurs(), ADK: &file, Table: adk.TypeOf(file.Role)}
}

// notOurs is the suite of a file of ADK: its cases are no suite's; see [adk.Set].
func (x *context) notOurs() *rubric.Suite {
	return &rubric.Suite{Dialect: adk.Name, Name: x.input.stem()}
}
