package cli

import (
	"hash/maphash"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/rubric"
)

// alone is the case of an evalset with an id, beside what was recorded of it, while few
// of the others are held. The case is nil where that takes all of the file, as it does to
// tell what is wrong with it.
func (s *session) alone(path, id string, o *evalsetOptions) (e *evalset, t adk.Trial, c *rubric.Case) {
	e = &evalset{}
	e.path, e.cases = selected(path)
	if id == "" || len(e.cases) > 0 || !adk.IsJSON(e.path) || o.fault() != nil || e.decide(o) != nil || e.configure(o) != nil {
		return e, t, nil
	}
	own := e.find(id)
	if own == nil {
		return e, t, nil
	}
	p := setPieces{pieces: &pieces{seed: maphash.MakeSeed()}, set: e}
	if p.record(s.ctx, o.recorded) != nil {
		return e, t, nil
	}
	runs, err := p.runs(id)
	if err != nil {
		return e, t, nil
	}
	c = own.Try(e.criteria, runs)
	t = adk.Trial{Suite: e.named(adk.LowerSet(e.profile, e.file)).Suite(), Criteria: e.criteria}
	t.Suite.Cases = []*rubric.Case{c}
	return e, t, c
}

// find is the first case with an id, nil where there is none or not all cases can be read
// by themselves.
func (e *evalset) find(id string) (found *adk.Case) {
	file := host.Divide(e.path)
	if file == nil {
		return nil
	}
	for i := range file.Count() {
		body, err := file.Read(i)
		if err != nil {
			return nil
		}
		if e.file = adk.Glance(e.path, body); !e.file.Apart() || e.file.Role != adk.EvalSet {
			return nil
		}
		for _, c := range adk.LowerSet(e.profile, e.file).Cases {
			if found == nil && c.ID == id {
				found = &c
			}
		}
	}
	return found
}
