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

// keptPieces is how many pieces of a file are kept from its check for its run: so
// that a thousand cases are read once, and any more take no more memory.
const keptPieces = 16

// pieces is a file of cases that is read some at a time: to see that it can be run,
// and once more as it is, but for what is kept of it.
type pieces struct {
	path  string
	file  *host.Pieces
	input func(body string) analysis.Input
	// lower reads the cases of a piece; a is nil where the piece has been checked. An
	// error is why it cannot be run by itself.
	lower   func(i int, body string, a *analysis.Analysis) (lowered, error)
	repeats bool // an id may come twice
	seed    maphash.Seed
	all     []piece
	keep    func(*rubric.Case) bool
	total   int      // cases that are to be run
	ids     []uint64 // of all cases, as sums and in the order of those

	mu    sync.Mutex
	named map[string]bool // whether some case is, by the patterns that choose cases
	seen  int             // pieces
	count int             // cases in them
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

// lowered is what the cases of a piece mean.
type lowered struct {
	suite    *rubric.Suite
	others   []string // ids of cases that are left out, whatever --case says
	problems []string // with what it refers to
}

// inPieces divides and checks a file. An error is why the file has to be read as a
// whole, which is also how what is wrong with it is told, unless it is too large.
func (s *session) inPieces(path string, r *reading, o *runOptions) (l loaded, err error) {
	if named, _ := selected(path); adk.IsJSON(named) {
		return s.setInPieces(path, r, o)
	}
	if o.used() != "" {
		return l, errUndivided // which is a misuse, and told as such
	}
	p, err := divided(path, r, o)
	if err != nil {
		return l, err
	}
	p.lower = p.ofAgentV
	if err := p.check(s, o); err != nil {
		return l, err
	}
	p.tell(s.stderr)
	return p.loaded(p.all[0].suite.Bare(), o), nil
}

// divided divides a file that is to be run.
func divided(path string, r *reading, o *runOptions) (*pieces, error) {
	file := host.Divide(path)
	if file == nil {
		return nil, errUndivided
	}
	severities, err := r.settings.Of(path)
	if err != nil {
		return nil, err
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
	return p, nil
}

// loaded is the file as it is run, with a suite that has none of its cases.
func (p *pieces) loaded(suite *rubric.Suite, o *runOptions) loaded {
	if !o.whole {
		return loaded{path: p.path, suite: suite, pieces: p}
	}
	for _, one := range p.all {
		suite.Cases = append(suite.Cases, one.suite.Cases...)
	}
	return loaded{path: p.path, suite: suite}
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

// check checks all pieces, and keeps the first of them. An error is that of the first
// piece that cannot be run, or why they cannot be run one by one.
func (p *pieces) check(s *session, o *runOptions) error {
	kept := keptPieces
	if o.whole {
		kept = len(p.all)
	}
	line := s.progress()
	defer line.clear()
	err := sideBySide(s.ctx, len(p.all), func(i int) error { return p.checkPiece(i, i < kept, line) })
	if err != nil {
		return err
	}
	return p.unlike()
}

// sideBySide does n things, as many at a time as there are processors, until one of
// them fails or the context is done. The error is that of the first that failed.
func sideBySide(ctx context.Context, n int, do func(i int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	faults := make([]error, n)
	for range min(runtime.GOMAXPROCS(0), n) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && !failed.Load() && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if faults[i] = do(i); faults[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	return cmp.Or(cmp.Or(faults...), ctx.Err())
}

func (p *pieces) checkPiece(i int, keep bool, line progress) error {
	body, err := p.file.Read(i)
	if err != nil {
		return err
	}
	a := analyse(p.input(body))
	if fault := p.unfit(i, a); fault != nil {
		return fault
	}
	l, err := p.lower(i, body, a)
	if err != nil {
		return err
	}
	suite := l.suite
	found := piece{sum: maphash.String(p.seed, body), problems: l.problems}
	if a.Role() != agentv.Cases { // whose lines have each their own
		found.version = a.Version()
	}
	for _, id := range l.others {
		found.ids = append(found.ids, maphash.String(p.seed, id))
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
	p.count += len(suite.Cases)
	line.checked(p.path, p.seen, len(p.all))
	return nil
}

// unfit is why a piece cannot be run, if so.
func (p *pieces) unfit(i int, a *analysis.Analysis) error {
	if faults := only(diag.Error, a.Diagnostics()); len(faults) > 0 {
		line, err := p.file.Line(i, faults[0].Span.Start)
		if err != nil {
			return err
		}
		return fmt.Errorf("line %d: %s", line, faults[0].Message)
	}
	return nil
}

// ofAgentV lowers a piece of AgentV's cases.
func (p *pieces) ofAgentV(_ int, body string, a *analysis.Analysis) (lowered, error) {
	if a == nil {
		in := p.input(body)
		in.Checked = true
		a = analyse(in)
	}
	suite, apart := a.ToRun()
	for _, loss := range suite.Losses {
		if loss.Fatal {
			return lowered{}, fmt.Errorf("%s", loss.Kind)
		}
	}
	if !apart || len(suite.Cases) == 0 {
		return lowered{}, errUndivided
	}
	return lowered{suite: suite, problems: host.Fill(p.path, suite)}, nil
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
	if p.ids = slices.Compact(ids); len(p.ids) < all && !p.repeats {
		return errors.New("two of its cases have one id")
	}
	return nil
}

// cases are those of the file that are to be run, each as its turn comes. What keeps
// the rest from coming is put in failed.
func (p *pieces) cases(failed *error) iter.Seq[*rubric.Case] {
	return func(yield func(*rubric.Case) bool) {
		for i := range p.all {
			suite := p.all[i].suite
			p.all[i].suite = nil
			if p.all[i].chosen == 0 {
				continue
			}
			if suite == nil {
				if suite, *failed = p.reread(i); *failed != nil {
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

// names are the ids of all cases, so far as they can be read.
func (p *pieces) names() (all []string) {
	for i := range p.all {
		if suite, err := p.reread(i); err == nil {
			all = append(all, suite.IDs()...)
		}
	}
	return all
}

// reread reads a piece that has been checked.
func (p *pieces) reread(i int) (*rubric.Suite, error) {
	body, err := p.file.Read(i)
	if err != nil {
		return nil, err
	}
	if maphash.String(p.seed, body) != p.all[i].sum {
		return nil, p.changed()
	}
	l, err := p.lower(i, body, nil)
	return l.suite, err
}

func (p *pieces) changed() error { return fmt.Errorf("%s has changed since it was checked", p.path) }
