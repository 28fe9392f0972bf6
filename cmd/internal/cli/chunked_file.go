package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// cachedChunks is the number of chunks whose cases are cached between the check and the
// run. A thousand cases are thus read once, and more cases need no more memory.
const cachedChunks = 16

// A chunkedFile is a file whose cases are read in chunks: once to check them, and again
// to run them unless they are cached.
type chunkedFile struct {
	path  string
	file  *host.ChunkedFile
	input func(body string) analysis.Input
	// lowerChunk reads the cases of a chunk; a is nil if the chunk was checked before.
	// An error says why the chunk cannot be run by itself.
	lowerChunk       func(i int, body string, a *analysis.Analysis) (loweredChunk, error)
	allowRepeatedIDs bool // result files repeat ids
	seed             maphash.Seed
	chunks           []chunk
	selects          func(*rubric.Case) bool
	selectedCount    int      // selected cases in all chunks
	idHashes         []uint64 // hashes of all case ids, sorted

	mu              sync.Mutex
	matchedPatterns map[string]bool // --case patterns, and whether a case matched
	checkedCount    int             // checked chunks
	warningCount    int             // warnings in the checked chunks
	headWarnings    map[string]int  // the number of chunks with each warning before all cases
	caseCount       int             // cases in the checked chunks
	named           run.File        // with the targets and judges that selected cases name
	ownTargetCount  int             // selected cases that name a target
}

// A chunk holds what is known of a checked chunk.
type chunk struct {
	suite         *rubric.Suite // nil if it is not cached
	textHash      uint64        // hash of the text
	idHashes      []uint64      // hashes of the case ids
	selectedCount int           // cases to run
	version       agentv.Version
	problems      []string // with referenced files
}

// A loweredChunk holds the cases of a chunk.
type loweredChunk struct {
	suite      *rubric.Suite
	skippedIDs []string // ids of cases that the file name does not select
	problems   []string // with referenced files
}

// loadInChunks divides a file into chunks and checks them. On an error the file must be
// read as a whole, which also reports its problems, unless it is too large.
func (s *session) loadInChunks(path string, project *projectFiles, o *runOptions) (l loadedSuite, err error) {
	if filePath, _ := splitCaseIDs(path); adk.IsJSON(filePath) {
		return s.loadEvalsetInChunks(path, project, o)
	}
	if evalsetFlag(&o.Settings) != "" {
		return l, errNotChunkable // reading the whole file reports the misuse
	}
	chunked, err := divideFile(path, project, o)
	if err != nil {
		return l, err
	}
	chunked.lowerChunk = chunked.lowerAgentV
	if err := chunked.checkChunks(s, o); err != nil {
		return l, err
	}
	chunked.printProblems(s.stderr)
	o.warnings = append(o.warnings, fileWarnings{path, chunked.warningCount})
	return chunked.asLoadedSuite(chunked.chunks[0].suite.WithoutCases(), o), nil
}

// divideFile divides a file that is to be run.
func divideFile(path string, project *projectFiles, o *runOptions) (*chunkedFile, error) {
	file := host.OpenChunkedFile(path)
	if file == nil {
		return nil, errNotChunkable
	}
	severities, err := project.settings.Severities(path)
	if err != nil {
		return nil, err
	}
	least := diag.Warning
	if adk.IsJSON(path) { // warnings about an evalset are about all its cases
		least = diag.Error
	}
	severities = lint.AtLeast(least, severities)
	chunked := &chunkedFile{path: path, file: file, seed: maphash.MakeSeed(), chunks: make([]chunk, file.Count()), selects: run.MatchIDs(o.cases...), matchedPatterns: map[string]bool{}, headWarnings: map[string]int{}}
	for _, pattern := range o.cases {
		chunked.matchedPatterns[pattern] = false
	}
	chunked.input = func(body string) analysis.Input {
		in := host.NewInput(path, body)
		in.LoadSchema, in.Severities, in.ForRun = project.schemas.ForFile(path), severities, true
		return in
	}
	return chunked, nil
}

// asLoadedSuite returns the file as a suite without cases, or with all cases if the
// options need them.
func (cf *chunkedFile) asLoadedSuite(suite *rubric.Suite, o *runOptions) loadedSuite {
	if !o.needAllCases {
		return loadedSuite{path: cf.path, suite: suite, chunks: cf}
	}
	for _, chunk := range cf.chunks {
		suite.Cases = append(suite.Cases, chunk.suite.Cases...)
	}
	return loadedSuite{path: cf.path, suite: suite}
}

// printProblems prints each problem with a referenced file once.
func (cf *chunkedFile) printProblems(w io.Writer) {
	printed := map[string]bool{}
	for _, chunk := range cf.chunks {
		for _, problem := range chunk.problems {
			if !printed[problem] {
				fmt.Fprintf(w, "rubric: %s: %s\n", cf.path, problem)
			}
			printed[problem] = true
		}
	}
}

// checkChunks checks all chunks and caches the first of them. It returns the error of the
// first chunk that cannot be run, or the reason why the file cannot be read in chunks.
func (cf *chunkedFile) checkChunks(s *session, o *runOptions) error {
	cached := cachedChunks
	if o.needAllCases {
		cached = len(cf.chunks)
	}
	line := s.newProgress()
	defer line.Clear()
	err := runParallel(s.ctx, len(cf.chunks), func(i int) error { return cf.checkChunk(i, i < cached, o, line) })
	if err != nil {
		return err
	}
	return cf.checkConsistency()
}

// runParallel calls do for 0 to n-1 on all processors, until a call fails or the context
// is done. It returns the error of the lowest index.
func runParallel(ctx context.Context, n int, do func(i int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	errs := make([]error, n)
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && !failed.Load() && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	return cmp.Or(cmp.Or(errs...), ctx.Err())
}

func (cf *chunkedFile) checkChunk(i int, cacheSuite bool, o *runOptions, line *report.Progress) error {
	body, err := cf.file.Read(i)
	if err != nil {
		return err
	}
	a := analyse(cf.input(body))
	if fault := cf.firstError(i, a, o); fault != nil {
		return fault
	}
	l, err := cf.lowerChunk(i, body, a)
	if err != nil {
		return err
	}
	suite := l.suite
	result := chunk{textHash: maphash.String(cf.seed, body), problems: l.problems}
	if a.Role() != agentv.Cases { // JSONL cases have no common version
		result.version = a.Version()
	}
	for _, id := range l.skippedIDs {
		result.idHashes = append(result.idHashes, maphash.String(cf.seed, id))
	}
	for _, c := range suite.Cases {
		result.idHashes = append(result.idHashes, maphash.String(cf.seed, c.ID))
		if cf.selects(c) {
			result.selectedCount++
		}
	}
	if cacheSuite {
		result.suite = suite
	}
	cf.chunks[i] = result
	cf.mu.Lock()
	defer cf.mu.Unlock()
	for pattern, matched := range cf.matchedPatterns {
		cf.matchedPatterns[pattern] = matched || result.selectedCount > 0 && slices.ContainsFunc(suite.Cases, run.MatchIDs(pattern))
	}
	for _, c := range suite.Cases {
		if cf.selects(c) {
			cf.named.AddCase(c)
			if c.Target != "" {
				cf.ownTargetCount++
			}
		}
	}
	cf.addWarnings(a)
	cf.checkedCount++
	cf.caseCount += len(suite.Cases)
	line.ShowChecked(cf.path, cf.checkedCount, len(cf.chunks))
	return nil
}

// firstError returns the first error of a chunk that keeps selected cases from running,
// with its line in the file.
func (cf *chunkedFile) firstError(i int, a *analysis.Analysis, o *runOptions) error {
	selects := cf.selects
	if o.ignoreErrors { // reading the whole file prints what is left out
		selects = run.MatchIDs()
	}
	if errs := analysis.FindRunErrors(a.Suite, a.Diagnostics()).Blocking(selects); len(errs) > 0 {
		line, err := cf.file.Line(i, errs[0].Span.Start)
		if err != nil {
			return err
		}
		return fmt.Errorf("line %d: %s", line, errs[0].Message)
	}
	return nil
}

// addWarnings counts the warnings of a chunk of AgentV cases. Each chunk is analysed with
// the text before all cases: a warning there counts if every chunk has it. The caller holds
// the lock.
func (cf *chunkedFile) addWarnings(a *analysis.Analysis) {
	for _, d := range withSeverity(diag.Warning, a.Diagnostics()) {
		if d.Span.Start >= cf.file.HeadLength() {
			cf.warningCount++
			continue
		}
		key := fmt.Sprint(d.Span, d.Code, d.Message)
		if cf.headWarnings[key]++; cf.headWarnings[key] == len(cf.chunks) {
			cf.warningCount++
		}
	}
}

// lowerAgentV lowers a chunk of AgentV cases.
func (cf *chunkedFile) lowerAgentV(_ int, body string, a *analysis.Analysis) (loweredChunk, error) {
	if a == nil {
		in := cf.input(body)
		in.SkipLint = true
		a = analyse(in)
	}
	suite, independent := a.RunSuite()
	for _, loss := range suite.Losses {
		if loss.Fatal {
			return loweredChunk{}, fmt.Errorf("%s", loss.Kind)
		}
	}
	if !independent || len(suite.Cases) == 0 {
		return loweredChunk{}, errNotChunkable
	}
	return loweredChunk{suite: suite, problems: host.FillReferences(cf.path, suite)}, nil
}

// errNotChunkable reports a file whose cases depend on the rest of the file.
var errNotChunkable = errors.New("its cases depend on the rest of the file")

// checkConsistency checks that all case ids differ, as far as their hashes tell, and that
// all chunks use one version. It counts the selected cases.
func (cf *chunkedFile) checkConsistency() error {
	var ids []uint64
	for i := range cf.chunks {
		ids = append(ids, cf.chunks[i].idHashes...)
		cf.chunks[i].idHashes = nil
		cf.selectedCount += cf.chunks[i].selectedCount
		if cf.chunks[i].version != cf.chunks[0].version {
			return errors.New("its cases use more than one version of the format")
		}
	}
	all := len(ids)
	slices.Sort(ids)
	if cf.idHashes = slices.Compact(ids); len(cf.idHashes) < all && !cf.allowRepeatedIDs {
		return errors.New("two of its cases have the same id")
	}
	return nil
}

// countCases returns the number of [chunkedFile.cases].
func (cf *chunkedFile) countCases(skipOwn bool) int {
	if skipOwn {
		return cf.selectedCount - cf.ownTargetCount
	}
	return cf.selectedCount
}

// cases yields the selected cases, with skipOwn without those that name a target. If a chunk cannot
// be read again, it stops and sets failed.
func (cf *chunkedFile) cases(skipOwn bool, failed *error) iter.Seq[*rubric.Case] {
	return func(yield func(*rubric.Case) bool) {
		for i := range cf.chunks {
			suite := cf.chunks[i].suite
			cf.chunks[i].suite = nil
			if cf.chunks[i].selectedCount == 0 {
				continue
			}
			if suite == nil {
				if suite, *failed = cf.rereadChunk(i); *failed != nil {
					return
				}
			}
			for _, c := range suite.Cases {
				if cf.selects(c) && !(skipOwn && c.Target != "") && !yield(c) {
					return
				}
			}
		}
	}
}

// caseIDs returns the ids of all cases that can be read.
func (cf *chunkedFile) caseIDs() (all []string) {
	for i := range cf.chunks {
		if suite, err := cf.rereadChunk(i); err == nil {
			all = append(all, suite.CaseIDs()...)
		}
	}
	return all
}

// rereadChunk reads a checked chunk again.
func (cf *chunkedFile) rereadChunk(i int) (*rubric.Suite, error) {
	body, err := cf.file.Read(i)
	if err != nil {
		return nil, err
	}
	if maphash.String(cf.seed, body) != cf.chunks[i].textHash {
		return nil, cf.changedError()
	}
	l, err := cf.lowerChunk(i, body, nil)
	return l.suite, err
}

func (cf *chunkedFile) changedError() error {
	return fmt.Errorf("%s has changed since it was checked", cf.path)
}
