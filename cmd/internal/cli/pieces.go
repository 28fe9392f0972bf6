package cli

import (
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
	total int // cases
}

// piece is what is known of a piece that can be run.
type piece struct {
	suite    *rubric.Suite // nil where it is read again
	sum      uint64        // of its text
	ids      []uint64      // of its cases, as sums
	version  agentv.Version
	problems []string // with what it refers to
}

// inPieces divides and checks a file. It is not ok if the file has to be read as a
// whole, which is also how what is wrong with it is told.
func (s *session) inPieces(path string, r *reading, o *runOptions) (l loaded, ok bool) {
	file := host.Divide(path)
	severities, err := r.settings.Of(path)
	if file == nil || err != nil {
		return l, false
	}
	p := &pieces{path: path, file: file, seed: maphash.MakeSeed(), all: make([]piece, file.Count())}
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
	if !p.check(s, kept) || !p.unlike() {
		return l, false
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
	return l, true
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
	return o.whole || o.dryRun || o.resume || len(o.cases) > 0 || !report.Streams(o.format)
}

// check checks all pieces, side by side, and keeps the first of them.
func (p *pieces) check(s *session, kept int) bool {
	var next atomic.Int64
	var unfit atomic.Bool
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(p.all)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(p.all) && !unfit.Load() && s.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if !p.checkPiece(i, i < kept) {
					unfit.Store(true)
				}
			}
		})
	}
	wait.Wait()
	return !unfit.Load() && s.ctx.Err() == nil
}

func (p *pieces) checkPiece(i int, keep bool) bool {
	body, err := p.file.Read(i)
	if err != nil {
		return false
	}
	a := analysis.Of(p.input(body))
	suite, apart := a.ToRun()
	fatal := func(l rubric.Loss) bool { return l.Fatal }
	if !apart || len(only(diag.Error, a.Diagnostics())) > 0 || len(suite.Cases) == 0 || slices.ContainsFunc(suite.Losses, fatal) {
		return false
	}
	found := piece{sum: maphash.String(p.seed, body), problems: host.Fill(p.path, suite)}
	if a.Role() != agentv.Cases { // whose lines have each their own
		found.version = a.Version()
	}
	for _, c := range suite.Cases {
		found.ids = append(found.ids, maphash.String(p.seed, c.ID))
	}
	if keep {
		found.suite = suite
	}
	p.all[i] = found
	return true
}

// unlike reports whether no two cases have one id, so far as that can be told from
// outside of their pieces, and all are of one version. It counts the cases.
func (p *pieces) unlike() bool {
	var ids []uint64
	for i := range p.all {
		ids = append(ids, p.all[i].ids...)
		p.all[i].ids = nil
		if p.all[i].version != p.all[0].version {
			return false
		}
	}
	p.total = len(ids)
	slices.Sort(ids)
	return len(slices.Compact(ids)) == p.total
}

// cases are the file's, each as its turn comes. What keeps the rest from coming is
// put in failed.
func (p *pieces) cases(failed *error) iter.Seq[*rubric.Case] {
	return func(yield func(*rubric.Case) bool) {
		for i := range p.all {
			suite := p.all[i].suite
			if p.all[i].suite = nil; suite == nil {
				if suite, *failed = p.again(i); *failed != nil {
					return
				}
			}
			for _, c := range suite.Cases {
				if !yield(c) {
					return
				}
			}
		}
	}
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
