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
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// cachedChunks is how many pieces of a file are kept from its check for its run: so
// that a thousand cases are read once, and any more take no more memory.
const cachedChunks = 16

// chunkedFile is a file of cases that is read some at a time: to see that it can be run,
// and once more as it is, but for what is kept of it.
type chunkedFile struct {
	path  string
	file  *host.ChunkedFile
	input func(body string) analysis.Input
	// lowerChunk reads the cases of a piece; a is nil where the piece has been checked. An
	// error is why it cannot be run by itself.
	lowerChunk       func(i int, body string, a *analysis.Analysis) (loweredChunk, error)
	allowRepeatedIDs bool // an id may come twice
	seed             maphash.Seed
	chunks           []chunk
	selects          func(*rubric.Case) bool
	selectedCount    int      // cases that are to be run
	idHashes         []uint64 // of all cases, as sums and in the order of those

	mu              sync.Mutex
	matchedPatterns map[string]bool // whether some case is, by the patterns that choose cases
	checkedCount    int             // pieces
	caseCount       int             // cases in them
}

// chunk is what is known of a piece that can be run.
type chunk struct {
	suite         *rubric.Suite // nil where it is read again
	textHash      uint64        // of its text
	idHashes      []uint64      // of its cases, as sums
	selectedCount int           // how many of them are to be run
	version       agentv.Version
	problems      []string // with what it refers to
}

// loweredChunk is what the cases of a piece mean.
type loweredChunk struct {
	suite      *rubric.Suite
	skippedIDs []string // ids of cases that are left out, whatever --case says
	problems   []string // with what it refers to
}

// loadInChunks divides and checks a file. An error is why the file has to be read as a
// whole, which is also how what is wrong with it is told, unless it is too large.
func (s *session) loadInChunks(path string, project *projectFiles, o *runOptions) (l loadedSuite, err error) {
	if filePath, _ := splitCaseIDs(path); adk.IsJSON(filePath) {
		return s.loadEvalsetInChunks(path, project, o)
	}
	if o.evalsetFlag() != "" {
		return l, errNotChunkable // which is a misuse, and told as such
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
	chunked := &chunkedFile{path: path, file: file, seed: maphash.MakeSeed(), chunks: make([]chunk, file.Count()), selects: run.MatchIDs(o.cases...), matchedPatterns: map[string]bool{}}
	for _, pattern := range o.cases {
		chunked.matchedPatterns[pattern] = false
	}
	severities = lint.OnlyErrors(severities)
	chunked.input = func(body string) analysis.Input {
		in := host.NewInput(path, body)
		in.LoadSchema, in.Severities, in.ForRun = project.schemas.ForFile(path), severities, true
		return in
	}
	return chunked, nil
}

// asLoadedSuite is the file as it is run, with a suite that has none of its cases.
func (cf *chunkedFile) asLoadedSuite(suite *rubric.Suite, o *runOptions) loadedSuite {
	if !o.needAllCases {
		return loadedSuite{path: cf.path, suite: suite, chunks: cf}
	}
	for _, chunk := range cf.chunks {
		suite.Cases = append(suite.Cases, chunk.suite.Cases...)
	}
	return loadedSuite{path: cf.path, suite: suite}
}

// printProblems tells of each problem with what the file refers to, once.
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

// checkChunks checks all pieces, and keeps the first of them. An error is that of the first
// piece that cannot be run, or why they cannot be run one by one.
func (cf *chunkedFile) checkChunks(s *session, o *runOptions) error {
	cached := cachedChunks
	if o.needAllCases {
		cached = len(cf.chunks)
	}
	line := s.newProgress()
	defer line.clear()
	err := runParallel(s.ctx, len(cf.chunks), func(i int) error { return cf.checkChunk(i, i < cached, line) })
	if err != nil {
		return err
	}
	return cf.checkConsistency()
}

// runParallel does n things, as many at a time as there are processors, until one of
// them fails or the context is done. The error is that of the first that failed.
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

func (cf *chunkedFile) checkChunk(i int, cacheSuite bool, line progressLine) error {
	body, err := cf.file.Read(i)
	if err != nil {
		return err
	}
	a := analyse(cf.input(body))
	if fault := cf.firstError(i, a); fault != nil {
		return fault
	}
	l, err := cf.lowerChunk(i, body, a)
	if err != nil {
		return err
	}
	suite := l.suite
	result := chunk{textHash: maphash.String(cf.seed, body), problems: l.problems}
	if a.Role() != agentv.Cases { // whose lines have each their own
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
	cf.checkedCount++
	cf.caseCount += len(suite.Cases)
	line.showChecked(cf.path, cf.checkedCount, len(cf.chunks))
	return nil
}

// firstError is why a piece cannot be run, if so.
func (cf *chunkedFile) firstError(i int, a *analysis.Analysis) error {
	if errs := withSeverity(diag.Error, a.Diagnostics()); len(errs) > 0 {
		line, err := cf.file.Line(i, errs[0].Span.Start)
		if err != nil {
			return err
		}
		return fmt.Errorf("line %d: %s", line, errs[0].Message)
	}
	return nil
}

// lowerAgentV lowers a piece of AgentV's cases.
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

// errNotChunkable is a file whose cases do not stand by themselves.
var errNotChunkable = errors.New("its cases cannot be told apart without all of it")

// checkConsistency makes sure that no two cases have one id, so far as that can be told from
// outside of their pieces, and that all are of one version. It counts the cases to
// be run.
func (cf *chunkedFile) checkConsistency() error {
	var ids []uint64
	for i := range cf.chunks {
		ids = append(ids, cf.chunks[i].idHashes...)
		cf.chunks[i].idHashes = nil
		cf.selectedCount += cf.chunks[i].selectedCount
		if cf.chunks[i].version != cf.chunks[0].version {
			return errors.New("its cases are of more than one version of the format")
		}
	}
	all := len(ids)
	slices.Sort(ids)
	if cf.idHashes = slices.Compact(ids); len(cf.idHashes) < all && !cf.allowRepeatedIDs {
		return errors.New("two of its cases have one id")
	}
	return nil
}

// cases are those of the file that are to be run, each as its turn comes. What keeps
// the rest from coming is put in failed.
func (cf *chunkedFile) cases(failed *error) iter.Seq[*rubric.Case] {
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
				if cf.selects(c) && !yield(c) {
					return
				}
			}
		}
	}
}

// caseIDs are the ids of all cases, so far as they can be read.
func (cf *chunkedFile) caseIDs() (all []string) {
	for i := range cf.chunks {
		if suite, err := cf.rereadChunk(i); err == nil {
			all = append(all, suite.CaseIDs()...)
		}
	}
	return all
}

// rereadChunk reads a piece that has been checked.
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
