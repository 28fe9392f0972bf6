package cli

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// A JSONL file of streamedFrom bytes or more is read in batches of batchBytes.
const (
	streamedFrom = 1 << 20
	batchBytes   = 128 << 10
)

// A caseStream is a large JSONL file whose cases are read in batches: once to check them, and again
// to run them. It needs no more memory for more cases, but for a few bytes each.
type caseStream struct {
	path          string
	input         func(body string) analysis.Input
	selects       func(*rubric.Case) bool
	seed          maphash.Seed
	suite         *rubric.Suite   // without cases
	batches       []streamedBatch // as they were checked
	selectedCount int             // cases to run
	ids           map[uint64]bool // hashes of all case ids
	matched       map[string]bool // --case patterns that match a case
	tags          []string        // of selected cases
	problems      []string        // with referenced files, each once
	warningCount  int
	named         run.File       // with the targets and judges that selected cases name
	limited       []*rubric.Case // the targets of selected cases that name any
}

type streamedBatch struct {
	hash     uint64 // of the text
	selected int    // cases to run
}

// errNotStreamable reports a file whose cases must be read together.
var errNotStreamable = errors.New("its cases depend on each other")

// streamCases checks a large JSONL file in batches. It returns nil for another file. After an
// error, the file must be read as a whole, which also shows all that is wrong with it.
func (s *session) streamCases(path string, schemas *host.Schemas, o *runOptions) (*caseStream, error) {
	if _, isBuffer := s.buffers[path]; isBuffer || agentv.CaseFormat(path) != "jsonl" || disk.FileSize(path) < streamedFrom || o.needAllCases || evalsetFlag(&o.Settings) != "" {
		return nil, nil
	}
	severities, err := host.Severities(path)
	if err != nil {
		return nil, err
	}
	severities = lint.AtLeast(diag.Warning, severities)
	cs := &caseStream{path: path, selects: o.selects(), seed: maphash.MakeSeed(), ids: map[uint64]bool{}, matched: map[string]bool{}}
	cs.input = func(body string) analysis.Input {
		in := host.NewInput(path, body)
		in.LoadSchema, in.Severities, in.ForRun = schemas.ForFile(path), severities, true
		return in
	}
	if err := cs.check(s, o); err != nil {
		return nil, err
	}
	for _, problem := range cs.problems {
		fmt.Fprintf(s.stderr, "rubric: %s: %s\n", path, problem)
	}
	o.warnings = append(o.warnings, fileWarnings{path, cs.warningCount})
	return cs, nil
}

// check checks all batches, one on each processor at a time.
func (cs *caseStream) check(s *session, o *runOptions) error {
	progress := s.newProgress()
	defer progress.Clear()
	size, done := int(disk.FileSize(cs.path)), 0
	next, stop := iter.Pull2(disk.ReadBatches(cs.path, batchBytes))
	defer stop()
	for more := true; more; {
		var checked []checkedBatch
		for more && len(checked) < runtime.GOMAXPROCS(0) {
			var b checkedBatch
			if b.Batch, b.err, more = next(); more {
				checked = append(checked, b)
			}
		}
		parallel(len(checked), len(checked), func(i int) { cs.checkBatch(&checked[i], o) })
		for _, b := range checked {
			if err := cs.add(b, o); err != nil {
				return err
			}
			done += len(b.Text)
		}
		if progress.ShowChecked(cs.path, done, size); s.ctx.Err() != nil {
			return s.ctx.Err()
		}
	}
	return nil
}

// A checkedBatch is a batch with its cases, or the reason why it cannot be run.
type checkedBatch struct {
	disk.Batch
	suite        *rubric.Suite
	problems     []string
	warningCount int
	err          error
}

func (cs *caseStream) checkBatch(b *checkedBatch, o *runOptions) {
	if b.err != nil { // it cannot be read
		return
	}
	a := analyse(cs.input(b.Text))
	selects := cs.selects
	if o.ignoreErrors { // reading the whole file shows what is left out
		selects = run.MatchIDs()
	}
	if errs := analysis.FindRunErrors(a.Suite, a.Diagnostics()).Blocking(selects); len(errs) > 0 {
		line := b.Line + strings.Count(b.Text[:errs[0].Span.Start], "\n")
		b.err = fmt.Errorf("line %d: %s", line, errs[0].Message)
		return
	}
	b.warningCount = len(withSeverity(diag.Warning, a.Diagnostics()))
	b.suite, b.problems, b.err = cs.lower(a)
}

// lower returns the cases of an analysed batch, and problems with referenced files.
func (cs *caseStream) lower(a *analysis.Analysis) (suite *rubric.Suite, problems []string, err error) {
	suite, independent := a.RunSuite()
	for _, loss := range suite.Losses {
		if loss.Fatal {
			return nil, nil, errors.New(loss.Kind)
		}
	}
	if !independent || slices.ContainsFunc(suite.Cases, func(c *rubric.Case) bool { return len(c.DependsOn) > 0 }) {
		return nil, nil, errNotStreamable
	}
	return suite, fillSuite(cs.path, suite), nil
}

// add adds what later steps need to know of a batch.
func (cs *caseStream) add(b checkedBatch, o *runOptions) error {
	if b.err != nil {
		return b.err
	}
	if cs.suite == nil {
		cs.suite = b.suite.WithoutCases()
	}
	selected := 0
	for _, c := range b.suite.Cases {
		id := maphash.String(cs.seed, c.ID)
		if cs.ids[id] {
			return fmt.Errorf("two of its cases have the id `%s`", c.ID)
		}
		cs.ids[id] = true
		if !cs.selects(c) {
			continue
		}
		selected++
		cs.named.AddCase(c)
		cs.tags = generic.AppendNew(cs.tags, c.Tags...)
		if c.Target != "" || len(c.Targets) > 0 {
			cs.limited = append(cs.limited, &rubric.Case{Target: c.Target, Targets: c.Targets})
		}
		for _, pattern := range o.cases {
			cs.matched[pattern] = cs.matched[pattern] || run.MatchIDs(pattern)(c)
		}
	}
	cs.problems = generic.AppendNew(cs.problems, b.problems...)
	cs.batches = append(cs.batches, streamedBatch{maphash.String(cs.seed, b.Text), selected})
	cs.selectedCount += selected
	cs.warningCount += b.warningCount
	return nil
}

// cases reads the selected cases again, but not those that leavesOut. If it cannot, or the file has
// changed since the check, it stops and sets failed.
func (cs *caseStream) cases(leavesOut func(*rubric.Case) bool, failed *error) iter.Seq[*rubric.Case] {
	return func(yield func(*rubric.Case) bool) {
		left := cs.batches
		for b, err := range disk.ReadBatches(cs.path, batchBytes) {
			if err == nil && (len(left) == 0 || maphash.String(cs.seed, b.Text) != left[0].hash) {
				err = cs.changedError()
			}
			suite := &rubric.Suite{}
			if err == nil && left[0].selected > 0 {
				in := cs.input(b.Text)
				in.SkipLint = true
				suite, _, err = cs.lower(analyse(in))
			}
			if err != nil {
				*failed = err
				return
			}
			left = left[1:]
			for _, c := range suite.Cases {
				if cs.selects(c) && !leavesOut(c) && !yield(c) {
					return
				}
			}
		}
		if len(left) > 0 {
			*failed = cs.changedError()
		}
	}
}

func (cs *caseStream) changedError() error {
	return fmt.Errorf("%s has changed since it was checked", cs.path)
}

// caseIDs returns the ids of all cases that can be read.
func (cs *caseStream) caseIDs() (all []string) {
	for b, err := range disk.ReadBatches(cs.path, batchBytes) {
		if err == nil {
			all = append(all, analyse(cs.input(b.Text)).Suite().CaseIDs()...)
		}
	}
	return all
}
