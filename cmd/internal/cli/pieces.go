package cli

import (
	"fmt"
	"hash/maphash"
	"iter"
	"path/filepath"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

// pieceable is from how many bytes on cases in JSONL are read a piece at a time.
const pieceable = 1 << 20

// piecewise reads a long file of cases in JSONL for a run that holds few of them at
// a time: here to see that it can be run, and once more as it is. It is not ok if
// it has to be read as a whole, which is also how what is wrong with it is told.
func (s *session) piecewise(path string, r *reading, o *runOptions) (l loaded, ok bool) {
	if o.whole || o.dryRun || o.resume || len(o.cases) > 0 || !report.Streams(o.format) ||
		filepath.Ext(path) != ".jsonl" || host.Size(path) < pieceable {
		return l, false
	}
	seed, seen := maphash.MakeSeed(), map[uint64]struct{}{} // the ids, of which none may come twice
	for body, err := range host.Pieces(path) {
		if err != nil {
			return l, false
		}
		a, err := s.piece(path, body, r)
		if err != nil || len(only(diag.Error, a.Diagnostics())) > 0 || len(a.Suite().Cases) == 0 {
			return l, false
		}
		for _, loss := range a.Suite().Losses {
			if loss.Fatal {
				return l, false
			}
		}
		for _, c := range a.Suite().Cases {
			seen[maphash.String(seed, c.ID)] = struct{}{}
			l.total++
		}
		if l.suite == nil {
			head := *a.Suite()
			head.Cases, head.Skipped, head.Losses = nil, nil, nil
			l.suite = &head
		}
	}
	l.path, l.pieces = path, func() iter.Seq2[*rubric.Suite, error] { return s.pieces(path, r) }
	return l, len(seen) == l.total && l.total > 0
}

// pieces are the suites that the pieces of a file are, with what they refer to.
func (s *session) pieces(path string, r *reading) iter.Seq2[*rubric.Suite, error] {
	told := map[string]bool{}
	return func(yield func(*rubric.Suite, error) bool) {
		for body, err := range host.Pieces(path) {
			if err != nil {
				yield(nil, err)
				return
			}
			a, err := s.piece(path, body, r)
			if err == nil && len(only(diag.Error, a.Diagnostics())) > 0 {
				err = fmt.Errorf("%s has changed since it was checked, and has errors now", path)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, problem := range host.Fill(path, a.Suite()) {
				if !told[problem] {
					fmt.Fprintf(s.stderr, "rubric: %s: %s\n", path, problem)
				}
				told[problem] = true
			}
			if !yield(a.Suite(), nil) {
				return
			}
		}
	}
}

// piece analyses some lines of a file as a file.
func (s *session) piece(path, body string, r *reading) (*analysis.Analysis, error) {
	in := host.Input(path, body)
	in.Schemas = r.schemas.Beside(path)
	var err error
	in.Severities, err = r.settings.Of(path)
	return analysis.Of(in), err
}

// each are the cases of a loaded file, all at once or in pieces.
func (l loaded) each() iter.Seq2[*rubric.Suite, error] {
	if l.pieces != nil {
		return l.pieces()
	}
	return func(yield func(*rubric.Suite, error) bool) { yield(l.suite, nil) }
}
