package lsp

import (
	"maps"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// results are what the cases of files last came to. They are kept by file and
// case id, so that they move with their case, for as long as the session lasts.
type results struct {
	lock sync.Mutex
	of   map[uri.URI]map[string]*result
	puts map[uri.URI]int // how often one was put
}

// result is what one case came to, and in which way. It never changes.
type result struct {
	run.Kept
	basis
	submission *grade.Submission // what was graded; nil if the target gave no answer
}

// way is how runs are made: who answers and who judges.
type way struct{ target, judge, moderation string }

func (k *results) put(u uri.URI, id string, r *result) {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.of == nil {
		k.of, k.puts = map[uri.URI]map[string]*result{}, map[uri.URI]int{}
	}
	if k.of[u] == nil {
		k.of[u] = map[string]*result{}
	}
	k.of[u][id] = r
	k.puts[u]++
}

// get is a case's result; nil if it has not been run.
func (k *results) get(u uri.URI, id string) *result {
	k.lock.Lock()
	defer k.lock.Unlock()
	return k.of[u][id]
}

// count is how often a result of the file was put: another one if any is another.
func (k *results) count(u uri.URI) int {
	k.lock.Lock()
	defer k.lock.Unlock()
	return k.puts[u]
}

// none reports whether no case of a file has been run.
func (k *results) none(u uri.URI) bool {
	k.lock.Lock()
	defer k.lock.Unlock()
	return len(k.of[u]) == 0
}

// any reports whether any case has been run.
func (k *results) any() bool {
	k.lock.Lock()
	defer k.lock.Unlock()
	return len(k.of) > 0
}

// file are the results of all of a file's cases, by their ids.
func (k *results) file(u uri.URI) map[string]*result {
	k.lock.Lock()
	defer k.lock.Unlock()
	return maps.Clone(k.of[u])
}

// outcomes are what some cases of a document last came to, reckoned as the cases
// are now.
func (at *Snapshot) outcomes(d *Document, cases []*rubric.Case) assist.Results {
	if d.ADK() != adk.None {
		return at.allOutcomes(d) // it is one part, whose cases are the trial's
	}
	all := assist.Results{}
	for _, c := range cases {
		if r := at.session.results.get(d.URI, c.ID); r != nil {
			all[c.ID], _ = r.outcome(c, at.basis(d, c))
		}
	}
	return all
}

// basis is what a result of a case rests on besides its text: how it was made, what
// the files held that the case refers to, and which targets there were.
type basis struct {
	way            way
	files, targets string
}

// basis is what a run of a case would rest on now.
func (at *Snapshot) basis(d *Document, c *rubric.Case) basis {
	return d.beside.basis(at.Running.way(d), c)
}

func (b *beside) basis(way way, c *rubric.Case) basis {
	rests := basis{way: way, files: b.referred(c)}
	if way.target != selfName || way.judge != offline.Name && way.judge != editorName { // they may be named among the targets
		rests.targets = b.stamped("")
	}
	return rests
}

// outcome is the result of a case as that is now, and the gates that failed. It is
// stale as a whole if it was made in another way than runs are made now, or of
// other files.
func (r *result) outcome(c *rubric.Case, now basis) (o assist.Outcome, gates []failed) {
	record, stale := r.Now(c)
	same := r.basis == now
	o = assist.OutcomeOf(record.Told(), stale, same)
	if same {
		gates = failedGates(c, record, stale)
	}
	return o, gates
}

// eachGrader visits graders' records, members too.
func eachGrader(records []run.GraderRecord, visit func(run.GraderRecord)) {
	for _, g := range records {
		visit(g)
		eachGrader(g.Members, visit)
	}
}
