package cli

import (
	"cmp"
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
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// keptPieces is how many pieces of a file are kept from its check for its run: so
// that a thousand cases are read once, and any more take no more memory.
const keptPieces = 16

// pieces is a file of cases that is read some at a time: to see that it can be run,
// and once more as it is, but for what is kept of it.
type pieces struct {
	path  string
	file  *host.Pieces
	input func(body string) analysis.Input
	seed  maphash.Seed
	all   []piece
	keep  func(*rubric.Case) bool
	total int // cases that are to be run

	mu    sync.Mutex
	named map[string]bool // whether some case is, by the patterns that choose cases
	seen  int             // pieces
}

// piece is what is known of a piece that can be run.
type piece struct {
	suite    *rubric.Suite // nil where it is read again
	sum      uint64        // of its text
	ids      []uint64      // of its cases, as sums
	chosen   int           // how many of them are to be run
	version  agentv.Version
	problems []string // with what it refers to
}

// inPieces divides and checks a file. An error is why the file has to be read as a
// whole, which is also how what is wrong with it is told, unless it is too large.
func (s *session) inPieces(path string, r *reading, o *runOptions) (l loaded, err error) {
	file := host.Divide(path)
	if file == nil {
		return l, errUndivided
	}
	severities, err := r.settings.Of(path)
	if err != nil {
		return l, err
	}
	p := &pieces{path: path, file: file, seed: maphash.MakeSeed(), all: make([]piece, file.Count()), keep: run.Only(o.cases...), named: map[string]bool{}}
	for _, pattern := range o.cases {
		p.named[pattern] = false
	}
	severities = lint.OnlyErrors(severities)
	p.input = func(body string) analysis.Input {
		in := host.Input(path, body)
		in.Schemas, in.Severities, in.ToRun = r.schemas.Beside(path), severities, true
		return in
	}
	kept := keptPieces
	if o.needsAll() {
		kept = len(p.all)
	}
	if err := p.check(s, kept); err != nil {
		return l, err
	}
	if err := p.unlike(); err != nil {
		return l, err
	}
	p.tell(s.stderr)
	suite := *p.all[0].suite
	suite.Cases, suite.Skipped, suite.Losses = nil, nil, nil
	l = loaded{path: path, suite: &suite, pieces: p}
	if o.needsAll() {
		for _, one := range p.all {
			suite.Cases = append(suite.Cases, one.suite.Cases...)
		}
		l.pieces = nil
	}
	return l, nil
}

// tell tells of each problem with what the file refers to, once.
func (p *pieces) tell(w io.Writer) {
	told := map[string]bool{}
	for _, one := range p.all {
		for _, problem := range one.problems {
			if !told[problem] {
				fmt.Fprintf(w, "rubric: %s: %s\n", p.path, problem)
			}
			told[problem] = true
		}
	}
}

// needsAll reports whether all cases of a file are needed at once.
func (o *runOptions) needsAll() bool {
	return o.whole || !o.dryRun && !report.Streams(o.format)
}

// check checks all pieces, side by side, and keeps the first of them. An error is
// that of the first piece that cannot be run.
func (p *pieces) check(s *session, kept int) error {
	var next atomic.Int64
	var unfit atomic.Bool
	var wait sync.WaitGroup
	line := s.progress()
	defer line.clear()
	faults := make([]error, len(p.all))
	for range min(runtime.GOMAXPROCS(0), len(p.all)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(p.all) && !unfit.Load() && s.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if faults[i] = p.checkPiece(i, i < kept, line); faults[i] != nil {
					unfit.Store(true)
				}
			}
		})
	}
	wait.Wait()
	return cmp.Or(cmp.Or(faults...), s.ctx.Err())
}

func (p *pieces) checkPiece(i int, keep bool, line progress) error {
	body, err := p.file.Read(i)
	if err != nil {
		return err
	}
	a := analysis.Of(p.input(body))
	suite, apart := a.ToRun()
	if fault := p.unfit(i, a, suite, apart); fault != nil {
		return fault
	}
	found := piece{sum: maphash.String(p.seed, body), problems: host.Fill(p.path, suite)}
	if a.Role() != agentv.Cases { // whose lines have each their own
		found.version = a.Version()
	}
	for _, c := range suite.Cases {
		found.ids = append(found.ids, maphash.String(p.seed, c.ID))
		if p.keep(c) {
			found.chosen++
		}
	}
	if keep {
		found.suite = suite
	}
	p.all[i] = found
	p.mu.Lock()
	defer p.mu.Unlock()
	for pattern, named := range p.named {
		p.named[pattern] = named || found.chosen > 0 && slices.ContainsFunc(suite.Cases, run.Only(pattern))
	}
	p.seen++
	line.checked(p.path, p.seen, len(p.all))
	return nil
}

// unfit is why a piece cannot be run by itself, if so.
func (p *pieces) unfit(i int, a *analysis.Analysis, suite *rubric.Suite, apart bool) error {
	if faults := only(diag.Error, a.Diagnostics()); len(faults) > 0 {
		line, err := p.file.Line(i, faults[0].Span.Start)
		if err != nil {
			return err
		}
		return fmt.Errorf("line %d: %s", line, faults[0].Message)
	}
	for _, loss := range suite.Losses {
		if loss.Fatal {
			return fmt.Errorf("%s", loss.Kind)
		}
	}
	if !apart || len(suite.Cases) == 0 {
		return errUndivided
	}
	return nil
}

// errUndivided is a file whose cases do not stand by themselves.
var errUndivided = errors.New("its cases cannot be told apart without all of it")

// unlike makes sure that no two cases have one id, so far as that can be told from
// outside of their pieces, and that all are of one version. It counts the cases to
// be run.
func (p *pieces) unlike() error {
	var ids []uint64
	for i := range p.all {
		ids = append(ids, p.all[i].ids...)
		p.all[i].ids = nil
		p.total += p.all[i].chosen
		if p.all[i].version != p.all[0].version {
			return errors.New("its cases are of more than one version of the format")
		}
	}
	all := len(ids)
	slices.Sort(ids)
	if len(slices.Compact(ids)) < all {
		return errors.New("two of its cases have one id")
	}
	return nil
}

// cases are those of the file that are to be run, each as its turn comes. What keeps the rest from coming is
// put in failed.
func (p *pieces) cases(failed *error) iter.Seq[*rubric.Case] {
	return func(yield func(*rubric.Case) bool) {
		for i := range p.all {
			suite := p.all[i].suite
			p.all[i].suite = nil
			if p.all[i].chosen == 0 {
				continue
			}
			if suite == nil {
				if suite, *failed = p.again(i); *failed != nil {
					return
				}
			}
			for _, c := range suite.Cases {
				if p.keep(c) && !yield(c) {
					return
				}
			}
		}
	}
}

// ids are those of all cases, so far as they can be read.
func (p *pieces) ids() (all []string) {
	for i := range p.all {
		if suite, err := p.again(i); err == nil {
			all = append(all, suite.IDs()...)
		}
	}
	return all
}

// again reads a piece that has been checked.
func (p *pieces) again(i int) (*rubric.Suite, error) {
	body, err := p.file.Read(i)
	if err != nil {
		return nil, err
	}
	if maphash.String(p.seed, body) != p.all[i].sum {
		return nil, fmt.Errorf("%s has changed since it was checked", p.path)
	}
	in := p.input(body)
	in.Checked = true
	suite, _ := analysis.Of(in).ToRun()
	host.Fill(p.path, suite)
	return suite, nil
}
