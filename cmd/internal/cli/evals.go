package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// evals are eval files by the name under which results know them.
type evals struct {
	suites map[string]*rubric.Suite
	named  []namedEvals // instead of the results' own, if there are any
	// renamed is whether the only one that is named has a name that no result knows:
	// then all of them are of it.
	renamed bool
}

// namedEvals is an eval file that a person names.
type namedEvals struct {
	*rubric.Suite
	as []string // what results call the very file; none if they do not know it
}

// has reports whether a record is of the file, by what results call that or, where they do
// not know it, by its name.
func (n namedEvals) has(rec run.Record, renamed bool) bool {
	if len(n.as) > 0 && rec.EvalFile != "" {
		return slices.Contains(n.as, rec.EvalFile)
	}
	return n.Name == rec.Dataset || renamed
}

// whose is whose case a record is of.
type whose int

const (
	ours     whose = iota // a file's that is looked into
	anothers              // one's that is not named
	nobodys               // no file's that is known
)

// evalsOf reads the eval files that are named, or else those that records name:
// from where the run was started, or beside its results.
func evalsOf(records []run.Record, results string, names []string) (*evals, error) {
	all := &evals{suites: map[string]*rubric.Suite{}}
	files := map[string]bool{}
	for _, rec := range records {
		if rec.EvalFile != "" {
			files[rec.EvalFile] = true
		}
	}
	for _, name := range names {
		suite, err := suiteOf(name)
		if err != nil {
			return nil, err
		}
		n := namedEvals{Suite: suite}
		for as := range files {
			if host.SameFile(evalFile(as, results), name) {
				n.as = append(n.as, as)
			}
		}
		all.named = append(all.named, n)
	}
	all.renamed = len(all.named) == 1 && !slices.ContainsFunc(records, func(rec run.Record) bool { return rec.Dataset == all.named[0].Name })
	for _, rec := range records {
		name := rec.EvalFile
		if _, read := all.suites[name]; read || name == "" || len(names) > 0 || rec.Measured() {
			continue
		}
		suite, err := suiteOf(evalFile(name, results))
		if err != nil {
			return nil, fmt.Errorf("%w; name the eval file after the results", err)
		}
		all.suites[name] = suite
	}
	return all, nil
}

// evalFile is where an eval file is that results name: from where the run was started, or
// beside them.
func evalFile(name, results string) string {
	path := filepath.FromSlash(name)
	if !host.Exists(path) && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(results), path)
	}
	return path
}

func suiteOf(path string) (*rubric.Suite, error) {
	body, err := host.Read(path)
	if err != nil {
		return nil, err
	}
	a := analysis.Of(host.Input(path, body))
	if a.ADK() != adk.None {
		return nil, fmt.Errorf("%s is an ADK file, whose metrics have no rubric that grades could be held against", path)
	}
	suite := a.Suite()
	if len(suite.Cases) == 0 {
		return nil, fmt.Errorf("%s has no cases", path)
	}
	return suite, nil
}

// find is the case of a record, nil if it is no more or another file's.
func (e *evals) find(rec run.Record) (c *rubric.Case, of whose) {
	of = anothers
	for _, n := range e.named {
		if !n.has(rec, e.renamed) {
			continue
		}
		of = ours
		if c := n.Case(rec.EvalID); c != nil {
			return c, of
		}
	}
	switch suite := e.suites[rec.EvalFile]; {
	case len(e.named) > 0:
		return nil, of
	case suite == nil:
		return nil, nobodys
	default:
		return suite.Case(rec.EvalID), ours
	}
}
