package analysis

import (
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// readADKHeader reads what stands around the cases of a file of ADK.
func (cc *chunkContext) readADKHeader(l *layout) bool {
	cc.headerText = l.head + l.tail
	cc.headerSource = text.New(cc.input.Path, cc.headerText)
	file, list := adk.ReadHeader(cc.input.Path, cc.headerSource, len(l.head))
	if list == nil {
		return false
	}
	cc.adk, cc.header, cc.listKey = file.Role, shiftToHeader(file.Tree), list.Key
	return true
}

// adkChunk is a part of a file of ADK, or all of it.
func (cc *chunkContext) adkChunk(source *text.Source, file adk.File) *Chunk {
	return &Chunk{Source: source, Tree: file.Tree, Suite: cc.emptySuite(), ADK: &file, Table: adk.TypeForRole(file.Role)}
}

// emptySuite is the suite of a file of ADK: its cases are no suite's; see [adk.Set].
func (cc *chunkContext) emptySuite() *rubric.Suite {
	return &rubric.Suite{Dialect: adk.Name, Name: cc.input.baseName()}
}
