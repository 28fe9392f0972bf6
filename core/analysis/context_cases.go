package analysis

import (
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// aroundCases reads what stands around the cases of a file of ADK.
func (x *context) aroundCases(l *layout) bool {
	x.text = l.head + l.tail
	x.source = text.New(x.input.Path, x.text)
	file, list := adk.Around(x.input.Path, x.source, len(l.head))
	if list == nil {
		return false
	}
	x.adk, x.frame, x.key = file.Role, far(file.Tree), list.Key
	return true
}

// ofADK is a part of a file of ADK, or all of it.
func (x *context) ofADK(source *text.Source, file adk.File) *Part {
	return &Part{Source: source, Tree: file.Tree, Suite: x.notOurs(), ADK: &file, Table: adk.TypeOf(file.Role)}
}

// notOurs is the suite of a file of ADK: its cases are no suite's; see [adk.Set].
func (x *context) notOurs() *rubric.Suite {
	return &rubric.Suite{Dialect: adk.Name, Name: x.input.stem()}
}
