package cli

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
	"github.com/rubric-ls/rubric/core/rubric"
)

// analyseList analyses a list of tests, scenarios or providers that an eval file of a dialect names. It returns nil for any other
// file. hasCases says that the eval file's cases are from it, and severities are those of the rules.
func analyseList(path, dialect string, hasCases func() bool, severities map[string]diag.Severity) *analysis.Analysis {
	formats := map[string][]string{agentv.Name: {".yaml", ".yml", ".jsonl"}, promptfoo.Name: {".yaml", ".yml", ".json"}}
	if !slices.Contains(formats[dialect], filepath.Ext(path)) {
		return nil
	}
	body, err := disk.ReadFile(path)
	if err != nil {
		return nil // the eval file's own analysis says so
	}
	in := host.NewInput(path, body)
	in.Severities, in.Paths = severities, true
	a := analyse(in)
	switch role := a.Role(); {
	case dialect == agentv.Name && (role == agentv.Cases || role == agentv.Eval && a.Tree().Root().IsSeq()) && hasCases():
		in.Role = agentv.TestList // its tests may have too few keys to tell, or to show that they are of a later version
		return analyse(in)
	case dialect == agentv.Name && slices.Contains([]agentv.Role{agentv.TestList, agentv.Cases, agentv.ScenarioList, agentv.Providers}, role):
		return a
	case dialect == promptfoo.Name && role == agentv.TestList: // a misspelt key makes it look like one of AgentV
		in.Role = promptfoo.Tests
		return analyse(in)
	case dialect == promptfoo.Name && role == promptfoo.Tests:
		return a
	}
	return nil
}

// lossRules find what a list of tests loses whatever file names it, the first also in other lists, such as one that a
// message contains. The eval file's own analysis finds other faults.
var lossRules = []string{"unknown-key", "missing-key", "wrong-type", "out-of-bounds", "evaluator-skipped", "duplicate-case-id"}

// listErrors returns the errors of an analysis by which tests or their assertions are lost.
func listErrors(a *analysis.Analysis, hasCases bool) []diag.Diagnostic {
	rules := lossRules
	if !hasCases {
		rules = lossRules[:1]
	}
	isOther := func(d diag.Diagnostic) bool { return !slices.Contains(rules, d.Code) || d.Severity != diag.Error }
	return slices.DeleteFunc(slices.Clone(a.Diagnostics()), isOther)
}

// checkTestFiles refuses errors in the lists of tests that an eval file names, by which a test would lose its assertions.
// With --ignore-errors, it leaves those tests out, or all tests of such a list of promptfoo, whose rows have other ids.
func (s *session) checkTestFiles(suite *loadedSuite, selects func(*rubric.Case) bool, o *runOptions) error {
	checked := map[string]bool{"": true}
	for _, c := range suite.suite.Cases {
		if checked[c.SourceFile] {
			continue
		}
		checked[c.SourceFile] = true
		path := filepath.Join(filepath.Dir(suite.path), filepath.FromSlash(c.SourceFile))
		a := analyseList(path, suite.suite.Dialect, func() bool { return true }, nil)
		if a == nil {
			continue
		}
		cases := a.Suite
		if suite.suite.Dialect == promptfoo.Name {
			cases = func() *rubric.Suite { return wholeFileCases(suite.suite, c.SourceFile, a) }
		}
		errs := analysis.FindRunErrors(cases, listErrors(a, true))
		if err := s.refuseErrors(a, errs, path, selects, o); err != nil {
			return err
		}
		remaining := *suite.suite
		remaining.Cases = slices.DeleteFunc(slices.Clone(remaining.Cases), func(other *rubric.Case) bool {
			return other.SourceFile == c.SourceFile && len(errs.Cases[other.ID]) > 0
		})
		suite.suite, suite.leftOut = &remaining, append(suite.leftOut, errs.Faulty(selects)...)
	}
	return nil
}

// wholeFileCases returns the cases of a suite that another file has, each as long as that file.
func wholeFileCases(suite *rubric.Suite, file string, a *analysis.Analysis) *rubric.Suite {
	var whole rubric.Suite
	for _, c := range suite.Cases {
		if c.SourceFile == file {
			copied := *c
			copied.SourceFile, copied.Span = "", a.Source().Whole()
			whole.Cases = append(whole.Cases, &copied)
		}
	}
	return &whole
}

// references collects the files that an analysis reads because the text names them.
type references struct {
	mu    sync.Mutex
	files []string
}

// record returns the input with a reader that adds to r.
func (r *references) record(in analysis.Input) analysis.Input {
	if read := in.ReadFile; read != nil {
		in.ReadFile = func(reference string) (string, bool) {
			body, found := read(reference)
			if found {
				r.mu.Lock()
				r.files = append(r.files, reference)
				r.mu.Unlock()
			}
			return body, found
		}
	}
	return in
}

// checkLists returns the errors in the lists that a checked file names, one result for each list: the file's own tests
// lose what is faulty.
func (r *references) checkLists(file string, a *analysis.Analysis, severities map[string]diag.Severity) (lists []checkedFile) {
	folder, _ := filepath.Abs(filepath.Dir(file)) // without one, the path stays absolute
	slices.Sort(r.files)
	for _, reference := range slices.Compact(r.files) {
		path := disk.Locate(file, reference)
		if path == "" {
			continue
		}
		if short, err := filepath.Rel(folder, path); err == nil {
			path = filepath.Join(filepath.Dir(file), short)
		}
		hasCases := func() bool {
			return slices.ContainsFunc(a.Suite().Cases, func(c *rubric.Case) bool {
				return c.SourceFile != "" && filepath.Join(filepath.Dir(file), filepath.FromSlash(c.SourceFile)) == path
			})
		}
		if list := analyseList(path, a.Dialect(), hasCases, severities); list != nil {
			lists = append(lists, checkedFile{path: path, source: list.Source(), dialect: a.Dialect(), diagnostics: listErrors(list, hasCases())})
		}
	}
	return lists
}

// withLists adds the results of lists that have findings. One that is checked itself stays as it is, unless it was taken for
// another dialect.
func withLists(results []checkedFile) []checkedFile {
	index := map[string]int{}
	for i, r := range results {
		index[filepath.Clean(r.path)] = i
	}
	for _, r := range slices.Clone(results) {
		for _, list := range r.lists {
			i, isChecked := index[list.path]
			switch {
			case len(list.diagnostics) == 0 && !isChecked:
			case !isChecked:
				index[list.path] = len(results)
				results = append(results, list)
			case results[i].dialect != list.dialect:
				list.path, list.cases = results[i].path, results[i].cases
				results[i] = list
			}
		}
	}
	return results
}
