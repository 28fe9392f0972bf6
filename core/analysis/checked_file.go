package analysis

import (
	"iter"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// checkedFile is a layout of which every piece has been looked at, in one context. It
// never changes.
type checkedFile struct {
	layout
	context       *chunkContext
	headerResult  *chunkResult // framed: what rules say of what stands around the pieces
	headerAliases []string     // anchors there that pieces repeat
	summary       lint.EvalsetContents
	resolutions   []lint.Resolution
	factsID       *byte        // another one for other claims
	divided       *checkedFile // of an undivided file: what it was taken for before its pieces clashed
}

// editBase is the view to go on from after an edit.
func (cf *checkedFile) editBase() *checkedFile {
	if cf.divided != nil {
		return cf.divided
	}
	return cf
}

// checkLayout looks at all pieces of a layout that have not been looked at in this
// context. What of the view before holds is taken over; nil if there is none.
func checkLayout(cc *chunkContext, l *layout, previous *checkedFile) *checkedFile {
	cf := &checkedFile{layout: *l, context: cc}
	cf.blocks = slices.Clone(l.blocks)
	for bi := range cf.blocks {
		if blk := &cf.blocks[bi]; blk.context != cc {
			blk.check(cc)
		}
	}
	cf.checkHeader(previous)
	if cf.hasSameFacts(previous) {
		cf.resolutions, cf.factsID = previous.resolutions, previous.factsID
	} else {
		cf.resolutions, cf.factsID = lint.ResolveFacts(cf.lintResults()), new(byte)
	}
	return cf
}

// hasSameFacts reports whether the claims of all pieces are those of a view before,
// which need not be the one that its pieces were last looked at in: versions
// between may have been, at the same time.
func (cf *checkedFile) hasSameFacts(previous *checkedFile) bool {
	if previous == nil || previous.chunkCount() != cf.chunkCount() {
		return false
	}
	for bi, blk := range cf.blocks {
		if bi < len(previous.blocks) && cf.starts[bi].index == previous.starts[bi].index && &previous.blocks[bi].entries[0] == &blk.entries[0] && len(previous.blocks[bi].entries) == len(blk.entries) {
			continue
		}
		for i := range blk.entries {
			if !equalFacts(previous.entry(cf.starts[bi].index+i).result, blk.entries[i].result) {
				return false
			}
		}
	}
	return true
}

// computeVersion is that of a later file, by what stands around its pieces and in them.
func (cf *checkedFile) computeVersion() agentv.Version {
	if cf.division != yamlList || cf.context.role != laterRole {
		return ""
	}
	version := v4.DetectVersion(cf.context.header.Root())
	for c := range cf.crossRefs() {
		if version == agentv.Stable && c.needsHead {
			return agentv.Head
		}
	}
	return version
}

// mainResult is what was found where the file says what it is.
func (cf *checkedFile) mainResult() *chunkResult {
	if cf.division.hasHeader() {
		return cf.headerResult
	}
	return cf.entry(0).result
}

func (cf *checkedFile) lintResults() []*lint.Result {
	all := make([]*lint.Result, cf.chunkCount())
	for at, p := range cf.all() {
		all[at.index] = &p.result.Result
	}
	return all
}

// isMisdivided reports whether the pieces are not what they seemed: one repeats an anchor
// that another one defines, or brackets of one are closed by another.
func (cf *checkedFile) isMisdivided() bool {
	switch cf.division {
	case yamlList:
	case adkCases:
		return cf.hasMiscutCases()
	default:
		return false
	}
	defined := map[string]bool{}
	for c := range cf.crossRefs() {
		for _, name := range c.anchors {
			defined[name] = true
		}
	}
	if len(defined) == 0 {
		return false
	}
	for c := range cf.crossRefs() {
		if containsAny(defined, c.headerAliases) || containsAny(defined, c.unresolvedAliases) {
			return true
		}
	}
	return strings.Contains(cf.tail, "*") || redefinesAnchor(defined, cf.context)
}

// hasMiscutCases reports whether cases of ADK do not begin where they seemed to: all brackets
// are closed, but not within the cases, or several stand in one place.
func (cf *checkedFile) hasMiscutCases() bool {
	all, open := cf.head, false
	for c := range cf.crossRefs() {
		if c.isMiscut {
			return true
		}
		all += c.unclosedBrackets
		open = open || c.unclosedBrackets != ""
	}
	return open && adk.UnclosedBrackets(all+cf.tail) == ""
}

func containsAny(defined map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return defined[name] })
}

// redefinesAnchor reports whether the frame has an anchor of a name that pieces define:
// which one an alias means depends on its place.
func redefinesAnchor(defined map[string]bool, cc *chunkContext) bool {
	for name := range cc.anchors {
		if defined[name] {
			return true
		}
	}
	return false
}

// checkHeader looks at what stands around the pieces.
func (cf *checkedFile) checkHeader(previous *checkedFile) {
	if !cf.division.hasHeader() {
		return
	}
	used := map[string]bool{}
	for c := range cf.crossRefs() {
		for _, name := range c.headerAliases {
			used[name] = true
		}
	}
	for name := range used {
		cf.headerAliases = append(cf.headerAliases, name)
	}
	slices.Sort(cf.headerAliases)
	for _, blk := range cf.blocks {
		cf.summary = cf.summary.Union(blk.summary)
	}
	if previous != nil && previous.headerResult != nil && previous.context.headerText == cf.context.headerText && previous.context.version == cf.context.version && slices.Equal(previous.headerAliases, cf.headerAliases) && previous.summary == cf.summary {
		cf.headerResult = previous.headerResult
		return
	}
	part := cf.openHeader()
	var brief *lint.EvalsetContents
	if part.ADK != nil {
		brief = &cf.summary
	}
	cf.headerResult = cf.context.lintChunk(part, used, brief)
}

// entriesIn are the pieces that a stretch of the file touches, and, first and as
// nil, what stands around them if it does. That, and the last piece, are there in any
// case if what is around is asked for.
func (cf *checkedFile) entriesIn(span text.Span, withHeader bool) iter.Seq2[chunkStart, *entry] {
	return func(yield func(chunkStart, *entry) bool) {
		begin, end := cf.begin().offset, cf.end().offset
		if cf.division.hasHeader() && (withHeader || span.Start < begin || span.End >= end) && !yield(headerStart, nil) {
			return
		}
		first, next := 0, 0
		if span.Start > begin {
			first = cf.chunkAtOffset(span.Start)
		}
		if first >= 0 {
			for at := cf.startOf(first); at.index < cf.chunkCount() && at.offset <= span.End; at.index++ {
				p := cf.entry(at.index)
				if !yield(at, p) {
					return
				}
				at.location, next = at.addEntry(*p), at.index+1
			}
		}
		if last := cf.chunkCount() - 1; withHeader && next <= last {
			yield(cf.startOf(last), cf.entry(last))
		}
	}
}

// openChunk opens a piece.
func (cf *checkedFile) openChunk(at chunkStart, p *entry) *Chunk {
	part := cf.context.openChunk(p)
	part.Placement = Placement{at, cf}
	return part
}

// openHeader opens what stands around the pieces.
func (cf *checkedFile) openHeader() *Chunk {
	cc := cf.context
	if cc.division == adkCases {
		file, _ := adk.ReadHeader(cc.input.Path, cc.headerSource, len(cf.head))
		part := cc.adkChunk(cc.headerSource, file)
		part.Placement = Placement{headerStart, cf}
		return part
	}
	tree := parseHeader(cc.headerSource, cf.key)
	return &Chunk{Source: cc.headerSource, Tree: tree, Suite: cc.lowerFile(tree), Role: cc.role, Version: cc.version, Table: tables.FileForRole(cc.role, cc.version).Type, Placement: Placement{headerStart, cf}}
}
