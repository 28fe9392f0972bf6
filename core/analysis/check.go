package analysis

import (
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	_ "github.com/rubric-ls/rubric/core/lint/rules" // registers them
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// chunkResult is the result of linting a chunk, and what other chunks need to know of it.
// Spans are those of the chunk; those of the header start at text.HeaderBase.
type chunkResult struct {
	lint.Result
	place        int           // on which its meaning depends; see checkedFile.place
	values       sync.Map      // by ChunkCache: *cachedValue
	suite        *rubric.Suite // for Input.ForRun, else nil
	context      *chunkContext // in which the chunk was checked
	role         agentv.Role
	version      agentv.Version
	adk          adk.Role
	isRecognised bool
	usesHeader   bool // a diagnostic has a span in the header

	// Cross references between chunks:
	words             agentv.Words // that show the version
	anchors           []string     // that the chunk defines
	headerAliases     []string     // anchors of the header that the chunk refers to
	unresolvedAliases []string     // anchors neither in the chunk nor in the header
	unclosedBrackets  string       // for adkCases
	isMiscut          bool         // it cannot be read apart from the others
}

// checkChunk lints a chunk, which a stream may have loaded. A panic becomes a diagnostic.
func (cc *chunkContext) checkChunk(source *text.Source, place int, loaded yaml.Loaded) (r *chunkResult) {
	caught := diag.CatchPanic(func() {
		c := cc.openChunk(source, place, loaded)
		r = cc.lintChunk(c, nil, nil)
		r.Diagnostics = lint.Sort(r.Diagnostics)
		r.usesHeader = slices.ContainsFunc(r.Diagnostics, refersToHeader) || slices.ContainsFunc(r.Facts, func(f lint.Fact) bool { return refersToHeader(f.Diagnostic) })
		r.findCrossRefs(c, source)
	})
	if caught != nil {
		r = cc.failedResult(source, caught)
	}
	r.place = place
	return r
}

// failedResult is the result of a chunk whose check panicked. It counts as recognised, so
// that a folder's check does not skip the file.
func (cc *chunkContext) failedResult(source *text.Source, caught *diag.Panic) *chunkResult {
	r := &chunkResult{context: cc, role: cc.role, version: cc.version, adk: cc.adk, isRecognised: true}
	r.Diagnostics = []diag.Diagnostic{caught.Diagnostic(lint.FirstLine(source))}
	return r
}

// lintChunk lints a chunk. For a header it takes the aliases of its anchors in other chunks
// and, of an evalset, the contents of the cases.
func (cc *chunkContext) lintChunk(c *Chunk, headerAliases map[string]bool, contents *lint.EvalsetContents) *chunkResult {
	r := &chunkResult{context: cc, role: c.Role, version: c.Version}
	r.isRecognised = c.ADK != nil || agentv.IsRecognised(c.Role, cc.input.Path, c.Tree.Root()) || c.Role == agentv.Cases && cc.input.Sidecar != nil
	if c.ADK != nil {
		r.adk = c.ADK.Role
	}
	var userSchema *lint.UserSchema
	if c.Role != agentv.Cases && c.listKey == nil {
		if userSchema = cc.userSchema; cc.division == undivided {
			userSchema = cc.loadUserSchema(c.Tree)
		}
	}
	if !cc.input.SkipLint {
		r.Result = lint.Check(lint.Pass{
			Path: cc.input.Path, ADK: c.ADK, Source: c.Source, Tree: c.Tree, Header: c.Header, Suite: c.Suite, Role: string(c.Role), Mismatches: c.mismatches(), Cache: cc.cache,
			Severities: cc.input.Severities, Paths: cc.input.Paths, ReadFile: cc.input.ReadFile, OutsideReason: cc.input.OutsideReason, ListFiles: cc.input.ListFiles, FolderNames: cc.input.FolderNames, Targets: cc.input.Targets,
			LabelledSuite: c.LabelledSuite, UserSchema: userSchema, HeaderAliases: headerAliases, Contents: contents,
		})
	}
	if cc.input.ForRun {
		r.suite = c.Suite
	}
	return r
}

// refersToHeader reports whether a diagnostic has a span in the header.
func refersToHeader(d diag.Diagnostic) (found bool) {
	d.MapSpans(func(span text.Span) text.Span {
		found = found || span.Start >= text.HeaderBase
		return span
	})
	return found
}

func (r *chunkResult) findCrossRefs(c *Chunk, source *text.Source) {
	if r.context.division == adkCases {
		r.unclosedBrackets = adk.UnclosedBrackets(source.Body)
		c.isMiscut = c.ADK.Fault == nil && len(c.Tree.Root().List()) != 1 // valid, but not one case
	}
	r.isMiscut = c.isMiscut
	if r.context.role == agentv.EvalV4 {
		r.words = agentv.CountTestWords(c.Tree.Root().List())
	}
	for n := range c.Tree.Nodes() {
		switch {
		case n.Kind == yaml.Alias && n.Target == nil:
			r.unresolvedAliases = append(r.unresolvedAliases, n.Value)
		case n.Kind == yaml.Alias && n.Target.Span.Start >= text.HeaderBase:
			r.headerAliases = append(r.headerAliases, n.Value)
		case n.Kind != yaml.Alias && n.Anchor != "":
			r.anchors = append(r.anchors, n.Anchor)
		}
	}
}

// checkedFile is a layout with all chunks checked in one context. It is immutable.
type checkedFile struct {
	layout
	context       *chunkContext
	results       []*chunkResult // of the chunks
	contents      lint.EvalsetContents
	headerResult  *chunkResult // nil without a header
	headerAliases []string     // anchors of the header that chunks refer to, sorted
	resolutions   []lint.Resolution
	rejected      *checkedFile // of an undivided file: the wrong division, whose results the next version may keep
}

// checkFile divides a text and checks its chunks.
func checkFile(in *Input, source *text.Source, c *cache) *checkedFile {
	last := c.last
	if last != nil && last.rejected != nil {
		last = last.rejected
	}
	l := divide(in.Path, source)
	var cf *checkedFile
	if cc := newContext(in, c, l, last); cc != nil {
		cf = cc.checkLayout(l, last)
		if cf.division == yamlList && cc.role == agentv.EvalV4 { // its header and tests show its version
			words := agentv.CountWords(cc.header.Root())
			for _, r := range cf.results {
				words = words.Add(r.words)
			}
			if version := words.Version(); version != cc.version {
				other := *cc
				other.version = version
				cf = other.checkLayout(l, last)
			}
		}
		if !cf.isMisdivided() {
			return cf
		}
	}
	whole := undividedLayout(source)
	result := newChunkContext(in, c, whole).checkLayout(whole, nil)
	result.rejected = cf
	return result
}

// newContext returns the context of the last version if it is still valid for l, else a new one.
func newContext(in *Input, c *cache, l *layout, last *checkedFile) *chunkContext {
	if last != nil && last.division == l.division && l.division != undivided && last.key == l.key && last.head() == l.head() && last.tail() == l.tail() {
		return last.context
	}
	cc := newChunkContext(in, c, l)
	if cc != nil && last != nil && cc.version != "" && last.context.version != "" {
		cc.version = last.context.version // checkFile corrects it if the words show another now
	}
	return cc
}

// failedFile is the result for a file whose analysis panicked: one chunk with one diagnostic.
func failedFile(in *Input, source *text.Source, c *cache, caught *diag.Panic) *checkedFile {
	cc := &chunkContext{input: in, cache: &c.lint, otherFiles: &v4.FileCache{}, testBudget: new(int)}
	return &checkedFile{layout: *undividedLayout(source), context: cc, results: []*chunkResult{cc.failedResult(source, caught)}}
}

// checkLayout checks the chunks of a layout. It keeps the results of the last version that are
// valid for the same text; last may be nil.
func (cc *chunkContext) checkLayout(l *layout, last *checkedFile) *checkedFile {
	cf := &checkedFile{layout: *l, context: cc, results: findKnown(l, last)}
	var stale []int
	for i, r := range cf.results {
		if r == nil || r.place != cf.place(i) || !cc.isCurrent(r) {
			stale = append(stale, i)
		}
	}
	cf.checkChunks(stale)
	all := make([]*lint.Result, 0, len(l.chunks))
	for _, r := range cf.results {
		cf.contents.HasTurns = cf.contents.HasTurns || r.Summary.HasTurns
		cf.contents.HasCalls = cf.contents.HasCalls || r.Summary.HasCalls
		cf.contents.HasRubrics = cf.contents.HasRubrics || r.Summary.HasRubrics
		cf.contents.Scenarios, cf.contents.Fixed = cf.contents.Scenarios+r.Summary.Scenarios, cf.contents.Fixed+r.Summary.Fixed
		all = append(all, &r.Result)
	}
	cf.checkHeader(last)
	equalFacts := func(a, b *chunkResult) bool { // they resolve in the same way
		return a == b || reflect.DeepEqual(a.Summary, b.Summary) && slices.EqualFunc(a.Facts, b.Facts, func(f, g lint.Fact) bool {
			return f.Key == g.Key && f.IsTool == g.IsTool && f.Diagnostic.Code == g.Diagnostic.Code && f.IsSilenced == g.IsSilenced
		})
	}
	if last != nil && slices.EqualFunc(last.results, cf.results, equalFacts) {
		cf.resolutions = last.resolutions
	} else {
		cf.resolutions = lint.ResolveFacts(all)
	}
	return cf
}

// checkChunks checks the chunks at indexes. Chunks do not depend on each other, so a long file uses all
// processors: a run checks its file before the first request. Each worker takes a group at a time, which is
// loaded as one stream, because that is faster than one by one.
func (cf *checkedFile) checkChunks(indexes []int) {
	workers := runtime.GOMAXPROCS(0)
	size := min(len(indexes)/workers+1, 32)
	groups := make(chan []int, len(indexes)/size+1)
	for group := range slices.Chunk(indexes, size) {
		groups <- group
	}
	close(groups)
	var wait sync.WaitGroup
	for range min(workers, len(groups)) {
		wait.Go(func() {
			for group := range groups {
				load := func() yaml.Loaded { return nil }
				if cf.division == yamlList && len(group) > 1 {
					load = yaml.NewStream(generic.Map(group, cf.text)).Next
				}
				for _, i := range group {
					cf.results[i] = cf.context.checkChunk(cf.chunkSource(i), cf.place(i), load())
				}
			}
		})
	}
	wait.Wait()
}

// chunkSource returns the text of a chunk. It is a copy, so that no result keeps the whole text in memory.
func (cf *checkedFile) chunkSource(i int) *text.Source {
	if cf.division == undivided {
		return cf.source
	}
	return text.New("", strings.Clone(cf.text(i)))
}

// place returns what matters of a chunk's place: 1 for the last of ADK's cases, which has no comma after it, and the
// index in a registered dialect, whose cases have numbers.
func (cf *checkedFile) place(i int) int {
	switch {
	case cf.context.lowerPart != nil:
		return i
	case cf.division == adkCases && i == len(cf.chunks)-1:
		return 1
	}
	return 0
}

// findKnown returns, for each chunk, the result that the last version has for its text, or nil.
// Most edits leave the texts at both ends of the list as they are.
func findKnown(l *layout, last *checkedFile) []*chunkResult {
	known := make([]*chunkResult, len(l.chunks))
	if last == nil {
		return known
	}
	old, first := last.results, 0
	for first < min(len(known), len(old)) && last.text(first) == l.text(first) {
		known[first] = old[first]
		first++
	}
	end, oldEnd := len(known), len(old)
	for min(end, oldEnd) > first && last.text(oldEnd-1) == l.text(end-1) {
		end, oldEnd = end-1, oldEnd-1
		known[end] = old[oldEnd]
	}
	byText := map[string]*chunkResult{}
	for i := first; i < oldEnd; i++ {
		byText[last.text(i)] = old[i]
	}
	for i := first; i < end; i++ {
		known[i] = byText[l.text(i)]
	}
	return known
}

// checkHeader lints the header, unless the result of the last version is still valid.
func (cf *checkedFile) checkHeader(last *checkedFile) {
	if !cf.division.hasHeader() {
		return
	}
	used := map[string]bool{}
	for _, r := range cf.results {
		for _, name := range r.headerAliases {
			used[name] = true
		}
	}
	cf.headerAliases = slices.Sorted(maps.Keys(used))
	if last != nil && last.context == cf.context && slices.Equal(last.headerAliases, cf.headerAliases) && last.contents == cf.contents {
		cf.headerResult = last.headerResult
		return
	}
	header := cf.openChunk(-1)
	var contents *lint.EvalsetContents
	if header.ADK != nil {
		contents = &cf.contents
	}
	cf.headerResult = cf.context.lintChunk(header, used, contents)
}

// mainResult returns the result that shows the file's role: that of the header or of the
// first chunk.
func (cf *checkedFile) mainResult() *chunkResult {
	if cf.division.hasHeader() {
		return cf.headerResult
	}
	return cf.results[0]
}

// isMisdivided reports whether chunks depend on each other: one refers to an anchor that
// another defines, or one closes brackets of another.
func (cf *checkedFile) isMisdivided() bool {
	switch {
	case slices.ContainsFunc(cf.results, func(r *chunkResult) bool { return r.isMiscut }):
		return true
	case cf.division == yamlList:
	case cf.division == adkCases:
		return cf.hasMiscutCases()
	default:
		return false
	}
	defined := map[string]bool{}
	for _, r := range cf.results {
		for _, name := range r.anchors {
			defined[name] = true
		}
	}
	if len(defined) == 0 {
		return false
	}
	isDefined := func(name string) bool { return defined[name] }
	for _, r := range cf.results {
		if slices.ContainsFunc(r.headerAliases, isDefined) || slices.ContainsFunc(r.unresolvedAliases, isDefined) {
			return true
		}
	}
	for name := range cf.context.anchors {
		if defined[name] { // the position of an alias decides which anchor it means
			return true
		}
	}
	return strings.Contains(cf.tail(), "*")
}

// hasMiscutCases reports whether ADK's cases start elsewhere: brackets are balanced in the
// whole file but not in each case, or a chunk has several cases.
func (cf *checkedFile) hasMiscutCases() bool {
	all, isOpen := cf.head(), false
	for _, r := range cf.results {
		all += r.unclosedBrackets
		isOpen = isOpen || r.unclosedBrackets != ""
	}
	return isOpen && adk.UnclosedBrackets(all+cf.tail()) == ""
}
