package cli

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

// setPieces is an evalset, or a result file, that is read some cases at a time, each
// beside what was recorded of it.
type setPieces struct {
	*pieces
	set   *evalset
	tapes []*tape // of a result file the only one is itself
	alone bool    // there are none: the set's own conversations are measured
}

// setInPieces is [session.inPieces] for a file of ADK.
func (s *session) setInPieces(path string, r *reading, o *runOptions) (l loaded, err error) {
	p := setPieces{set: &evalset{}}
	p.set.path, p.set.cases = selected(path)
	if o.targeted {
		return l, errUndivided // which is a misuse, and told as such
	}
	if p.pieces, err = divided(p.set.path, r, o); err != nil {
		return l, err
	}
	suite, err := p.begin(r, o)
	if err != nil {
		return l, err
	}
	if err := p.record(s.ctx, o.recorded); err != nil {
		return l, err
	}
	p.lower, p.repeats = p.ofADK, p.set.file.Role == adk.Results
	if err := p.check(s, o); err != nil {
		return l, err
	}
	if err := p.unknown(); err != nil {
		return l, err
	}
	problems, err := p.strays()
	if err != nil {
		return l, err
	}
	p.set.tell(s.stderr, problems)
	l = p.loaded(suite, o)
	l.trial = &adk.Trial{Suite: suite, Criteria: p.set.criteria, Problems: problems}
	l.profile, l.target = p.set.profile, namedTarget{name: p.set.speaker(&o.evalsetOptions)}
	return l, nil
}

// begin reads what stands around the cases, and what they are measured by. It gives
// the suite without its cases.
func (p *setPieces) begin(r *reading, o *runOptions) (*rubric.Suite, error) {
	if raised, err := r.raised(p.path); raised || err != nil {
		return nil, cmp.Or(err, errUndivided)
	}
	body, err := p.file.Read(0)
	if err != nil {
		return nil, err
	}
	e := p.set
	if e.file = adk.Glance(e.path, body); !e.file.Apart() || e.file.Role == adk.Results && len(o.recorded) > 0 {
		return nil, errUndivided
	}
	if err := e.decide(&o.evalsetOptions); err != nil {
		return nil, err
	}
	if err := e.configure(&o.evalsetOptions); err != nil {
		return nil, err
	}
	if e.config != "" {
		_, faults, err := r.faults(e.configInput())
		if err != nil || len(faults) > 0 && !o.ignoreErrors {
			return nil, errUndivided // and told in its order
		}
	}
	if e.file.Role == adk.Results {
		return adk.LowerResults(e.profile, e.file).Suite(), nil
	}
	return e.named(adk.LowerSet(e.profile, e.file)).Suite(), nil
}

// raised reports whether the settings make an error of what is none: of some such
// things nobody can tell before all of a file is read.
func (r *reading) raised(path string) (bool, error) {
	severities, err := r.settings.Of(path)
	for id, severity := range severities {
		if severity == diag.Error && lint.Find(id).Severity != diag.Error {
			return true, err
		}
	}
	return false, err
}

// record opens what was recorded.
func (p *setPieces) record(ctx context.Context, paths []string) error {
	if p.set.file.Role == adk.Results {
		paths = []string{p.path}
	}
	p.alone = len(paths) == 0
	for _, path := range paths {
		t, err := openTape(ctx, path, p.seed, p.set.profile)
		if err != nil {
			return err
		}
		if t.held != nil && path == p.path {
			return errUndivided
		}
		p.tapes = append(p.tapes, t)
	}
	return nil
}

// ofADK lowers a piece of ADK's cases.
func (p *setPieces) ofADK(i int, body string, _ *analysis.Analysis) (l lowered, err error) {
	e := p.set
	f := adk.Glance(e.path, body)
	if !f.Apart() || f.Role != e.file.Role {
		return l, errUndivided
	}
	l.suite = &rubric.Suite{}
	if f.Role == adk.Results {
		l.suite.Cases, err = p.again(i, e.chosenOf(adk.LowerResults(e.profile, f)))
		return l, err
	}
	for _, c := range adk.LowerSet(e.profile, f).Cases {
		if !e.chooses(c.ID) {
			l.others = append(l.others, c.ID)
			continue
		}
		runs, err := p.runs(c.ID)
		if err != nil {
			return l, err
		}
		l.suite.Cases = append(l.suite.Cases, c.Try(e.criteria, runs))
	}
	return l, nil
}

// again are the cases whose first run stands in a piece of a result file.
func (p *setPieces) again(piece int, of adk.Recording) (all []*rubric.Case, err error) {
	t := p.tapes[0]
	for _, c := range of.Cases {
		if first := t.of(maphash.String(p.seed, c.ID))[0]; int(first.piece) != piece || int(first.in[0]) != c.Span.Start {
			continue
		}
		runs, err := t.runs(c.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, adk.TryAgain(p.set.criteria, runs))
	}
	return all, nil
}

// runs is what was recorded of a case; nil where nothing is of any.
func (p *setPieces) runs(id string) ([]adk.RecordedCase, error) {
	if p.alone {
		return nil, nil
	}
	all := []adk.RecordedCase{}
	for _, t := range p.tapes {
		runs, err := t.runs(id)
		if err != nil {
			return nil, err
		}
		all = append(all, runs...)
	}
	return all, nil
}

// unknown is an error where there is nothing to run, or a chosen case is not there.
func (p *setPieces) unknown() error {
	if p.count == 0 || p.set.file.Role != adk.Results && slices.ContainsFunc(p.set.cases, func(id string) bool { return !p.knows(maphash.String(p.seed, id)) }) {
		return errUndivided // and told by who has all ids
	}
	return nil
}

// knows reports whether the sum of an id is that of a case.
func (p *setPieces) knows(sum uint64) bool {
	_, known := slices.BinarySearch(p.ids, sum)
	return known
}

// strays are the problems with recorded conversations that are no case's.
func (p *setPieces) strays() ([]string, error) {
	if len(p.set.cases) > 0 {
		return nil, nil // nobody asked for others
	}
	left := map[string]bool{}
	for _, t := range p.tapes {
		ids, err := t.strays(p.knows)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			left[id] = true
		}
	}
	if len(left) == 0 {
		return nil, nil
	}
	return adk.Strays(slices.Collect(maps.Keys(left)), p.names()), nil
}

// selected is the path of a file, and the ids of cases that stand behind a colon where
// it is named as ADK names it.
func selected(path string) (string, []string) {
	chosen := adk.Select([]string{path})
	if len(chosen) == 1 && len(chosen[0].Cases) > 0 && !host.Exists(path) && host.Exists(chosen[0].Path) {
		return chosen[0].Path, chosen[0].Cases
	}
	return path, nil
}
