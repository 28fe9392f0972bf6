package analysis

import (
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Chunk is a stretch of a file that can be understood by itself, opened: a case
// with the comments above it, or what stands around all cases, or a whole file
// that is not divided. Its spans are those of Source. Every call that gives a
// part makes it anew.
type Chunk struct {
	Source *text.Source
	// Tree of a case holds a list with the case as its only item; of a line of
	// JSONL, the case itself. That of what stands around the cases has an empty
	// list for them, which is marked as recovered.
	Tree *yaml.Tree
	// Header is, beside a case, the tree of what stands around it, or of the
	// sidecar. Its spans are those of Source, from text.Far on. Nil if there is none.
	Header  *yaml.Tree
	Suite   *rubric.Suite // the cases in it, and what the file says of all of them
	Role    agentv.Role
	Version agentv.Version // of a file of a later version
	ADK     *adk.File      // a file of ADK; nil for AgentV's, which alone have a Role
	Table   *schema.Type   // what the file's root has to be; nil where nobody can tell
	// LabelledSuite are the cases that a labels file gives grades of; nil where nobody
	// can tell.
	LabelledSuite *rubric.Suite

	listKey *yaml.Node // of a case: that of the list it stands in, in Frame
	Placement
}

// RootType is what the root of the part's tree has to be; nil where nobody can tell.
func (p *Chunk) RootType() *schema.Type {
	if p.listKey == nil || p.Table == nil {
		return p.Table
	}
	if f := p.Table.Field(p.listKey.Value); f != nil {
		return f.TypeAs(p.listKey.Value)
	}
	return nil
}

// Chunks visits all parts of the file in the order of the text, what stands around
// the cases first, until visit says that it is enough.
func (a *Analysis) Chunks(visit func(*Chunk) bool) { a.ChunksIn(text.Span{End: a.Length()}, visit) }

// ChunksIn visits the parts that a stretch of the file touches.
func (a *Analysis) ChunksIn(span text.Span, visit func(*Chunk) bool) {
	cf := a.checkedFile()
	for at, p := range cf.entriesIn(span, false) {
		part := cf.openHeader
		if p != nil {
			part = func() *Chunk { return cf.openChunk(at, p) }
		}
		if !visit(part()) {
			return
		}
	}
}

// ChunkAt is the part that an offset of the file is in; where two meet, the later one. An
// offset beyond the text counts as its nearest end.
func (a *Analysis) ChunkAt(offset int) *Chunk {
	cf := a.checkedFile()
	i := cf.chunkAtOffset(min(max(offset, 0), a.Length()))
	if i < 0 {
		return cf.openHeader()
	}
	return cf.openChunk(cf.startOf(i), cf.entry(i))
}
