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

// evalFiles are eval files by the name under which results know them.
type evalFiles struct {
	suites map[string]*rubric.Suite
	named  []namedEvalFile // instead of the results' own, if there are any
	// renamed is whether the only one that is named has a name that no result knows:
	// then all of them are of it.
	renamed bool
}

// namedEvalFile is an eval file that a person names.
type namedEvalFile struct {
	*rubric.Suite
	resultNames []string // what results call the very file; none if they do not know it
}

// matches reports whether a record is of the file, by what results call that or, where they do
// not know it, by its name.
func (f namedEvalFile) matches(rec run.Record, renamed bool) bool {
	if len(f.resultNames) > 0 && rec.EvalFile != "" {
		return slices.Contains(f.resultNames, rec.EvalFile)
	}
	return f.Name == rec.Dataset || renamed
}

// caseOwner is whose case a record is of.
type caseOwner int

const (
	requestedFile caseOwner = iota // a file's that is looked into
	otherFile                      // one's that is not named
	unknownFile                    // no file's that is known
)

// loadEvalFiles reads the eval files that are named, or else those that records name:
// from where the run was started, or beside its results.
func loadEvalFiles(records []run.Record, results string, names []string) (*evalFiles, error) {
	all := &evalFiles{suites: map[string]*rubric.Suite{}}
	files := map[string]bool{}
	for _, rec := range records {
		if rec.EvalFile != "" {
			files[rec.EvalFile] = true
		}
	}
	for _, name := range names {
		suite, err := readSuite(name)
		if err != nil {
			return nil, err
		}
		n := namedEvalFile{Suite: suite}
		for resultName := range files {
			if host.SameFile(resolveEvalFile(resultName, results), name) {
				n.resultNames = append(n.resultNames, resultName)
			}
		}
		all.named = append(all.named, n)
	}
	all.renamed = len(all.named) == 1 && !slices.ContainsFunc(records, func(rec run.Record) bool { return rec.Dataset == all.named[0].Name })
	for _, rec := range records {
		name := rec.EvalFile
		if _, read := all.suites[name]; read || name == "" || len(names) > 0 || rec.HasMetrics() {
			continue
		}
		suite, err := readSuite(resolveEvalFile(name, results))
		if err != nil {
			return nil, fmt.Errorf("%w; name the eval file after the results", err)
		}
		all.suites[name] = suite
	}
	return all, nil
}

// resolveEvalFile is where an eval file is that results name: from where the run was started, or
// beside them.
func resolveEvalFile(name, results string) string {
	path := filepath.FromSlash(name)
	if !host.Exists(path) && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(results), path)
	}
	return path
}

func readSuite(path string) (*rubric.Suite, error) {
	body, err := host.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := analysis.Of(host.NewInput(path, body))
	if a.ADK() != adk.None {
		return nil, fmt.Errorf("%s is an ADK file, whose metrics have no rubric that grades could be held against", path)
	}
	suite := a.Suite()
	if len(suite.Cases) == 0 {
		return nil, fmt.Errorf("%s has no cases", path)
	}
	return suite, nil
}

// findCase is the case of a record, nil if it is no more or another file's.
func (e *evalFiles) findCase(rec run.Record) (c *rubric.Case, owner caseOwner) {
	owner = otherFile
	for _, n := range e.named {
		if !n.matches(rec, e.renamed) {
			continue
		}
		owner = requestedFile
		if c := n.Case(rec.EvalID); c != nil {
			return c, owner
		}
	}
	switch suite := e.suites[rec.EvalFile]; {
	case len(e.named) > 0:
		return nil, owner
	case suite == nil:
		return nil, unknownFile
	default:
		return suite.Case(rec.EvalID), requestedFile
	}
}
