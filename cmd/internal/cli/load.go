package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

// A loadedSuite is an eval file that is ready to run.
type loadedSuite struct {
	path       string
	suite      *rubric.Suite
	evaluation *adk.Evaluation // for ADK files, which are measured instead of graded
	profile    metric.Profile  // ADK version for the metrics
	source     string          // of the conversations in ADK files, for records
	run        *run.Run        // set by openSuites
	chunks     *chunkedFile    // nil if suite has all cases
}

// loadSuites reads the files to run. A file with errors does not run unless
// --ignore-errors is given, so that no judge is paid for unintended cases.
func (s *session) loadSuites(files []string, o *runOptions) (suites []loadedSuite, code int) {
	project := &projectFiles{}
	for i, path := range files {
		if slices.ContainsFunc(files[:i], func(other string) bool { return host.SameFile(path, other) }) {
			continue
		}
		var suite loadedSuite
		fault := diag.CatchPanic(func() { suite, code = s.loadFile(path, project, o) })
		if fault != nil {
			return nil, s.commandError("%s: %s", path, fault.Diagnostic(text.Span{}).Message)
		}
		if code != exitOK {
			return nil, code
		}
		suites = append(suites, suite)
	}
	if err := cmp.Or(checkSuitePatterns(suites, o.cases), o.checkEvalsetOutput(suites)); err != nil {
		return nil, s.commandError("%s", err)
	}
	return suites, exitOK
}

func (s *session) loadFile(path string, project *projectFiles, o *runOptions) (loadedSuite, int) {
	if _, err := host.ReadSidecar(path); err != nil {
		return loadedSuite{}, s.commandError("%s", err)
	}
	suite, chunkErr := s.loadInChunks(path, project, o)
	if chunkErr == nil {
		return suite, exitOK
	}
	if s.ctx.Err() != nil {
		return loadedSuite{}, exitFindings
	}
	set, body, err := openFile(path)
	if err != nil {
		return loadedSuite{}, s.commandError("%s%s", err, chunkingHint(path, err, chunkErr))
	}
	if set != nil {
		return s.loadEvalset(set, project, o)
	}
	if flag := evalsetFlag(&o.Settings); flag != "" {
		return loadedSuite{}, s.commandError("%s applies only to ADK files, and %s is not one", flag, path)
	}
	a, err := s.analyseValid(host.NewInput(path, body), project, o)
	if err != nil {
		return loadedSuite{}, s.commandError("%s", err)
	}
	for _, loss := range a.Suite().Losses {
		if loss.Fatal {
			return loadedSuite{}, s.commandError("%s cannot be run: %s; see `rubric check`", path, loss.Kind)
		}
	}
	if len(a.Suite().Cases) == 0 {
		return loadedSuite{}, s.commandError("%s has no cases to run", path)
	}
	for _, problem := range host.FillReferences(path, a.Suite()) {
		fmt.Fprintf(s.stderr, "rubric: %s: %s\n", path, problem)
	}
	return loadedSuite{path: path, suite: a.Suite()}, exitOK
}

// chunkingHint says how a file could be run that is too large to read at once and that
// could not be read in chunks.
func chunkingHint(path string, err, chunkErr error) string {
	switch {
	case !errors.Is(err, host.ErrTooLarge), chunkErr == nil:
		return ""
	case chunkErr != errNotChunkable:
		return fmt.Sprintf(", or fix what prevents reading it in chunks: %s", chunkErr)
	case strings.EqualFold(filepath.Ext(path), ".json"):
		return ""
	}
	return ", or write its cases as JSONL, one per line, which is read in chunks"
}

// projectFiles caches the settings and schemas that apply to eval files.
type projectFiles struct {
	settings host.Settings
	schemas  host.Schemas
}

// analyseValid analyses a file that is to be run or converted. If the file has errors, it
// prints them and returns an error.
func (s *session) analyseValid(in analysis.Input, project *projectFiles, o *runOptions) (*analysis.Analysis, error) {
	a, errs, err := project.analyseErrors(in)
	if err != nil {
		return nil, err
	}
	if len(errs) > 0 && !o.ignoreErrors {
		s.printDiagnostics(a, errs)
		hint := ""
		if s.command == "run" {
			hint = "; fix the file, or use --ignore-errors to run the other cases"
		}
		return nil, fmt.Errorf("%s has %s%s", in.Path, plural(len(errs), "error"), hint)
	}
	return a, nil
}

// analyseErrors analyses a file and returns its errors.
func (p *projectFiles) analyseErrors(in analysis.Input) (*analysis.Analysis, []diag.Diagnostic, error) {
	severities, err := p.settings.Severities(in.Path)
	if err != nil {
		return nil, nil, err
	}
	in.LoadSchema, in.Severities = p.schemas.ForFile(in.Path), lint.OnlyErrors(severities)
	a := analyse(in)
	return a, withSeverity(diag.Error, a.Diagnostics()), nil
}

func (s *session) printDiagnostics(a *analysis.Analysis, diagnostics []diag.Diagnostic) {
	render := diag.Renderer{Color: s.useColor(s.stderr)}
	for _, d := range diagnostics {
		_ = render.Render(s.stderr, a.Source(), d) // there is nowhere to report an error of standard error
		fmt.Fprintln(s.stderr)
	}
}

// checkCasePatterns returns an error if a --case pattern matches no case: a run without
// the misspelt case would look successful.
func checkCasePatterns(cases []*rubric.Case, patterns []string) error {
	for _, pattern := range patterns {
		if !slices.ContainsFunc(cases, run.MatchIDs(pattern)) {
			return unknownCaseError(pattern, (&rubric.Suite{Cases: cases}).CaseIDs())
		}
	}
	return nil
}

// checkSuitePatterns is [checkCasePatterns] for suites that may be read in chunks.
func checkSuitePatterns(suites []loadedSuite, patterns []string) error {
	for _, pattern := range patterns {
		matches := func(l loadedSuite) bool {
			if l.chunks != nil {
				return l.chunks.matchedPatterns[pattern]
			}
			return slices.ContainsFunc(l.suite.Cases, run.MatchIDs(pattern))
		}
		if slices.ContainsFunc(suites, matches) {
			continue
		}
		var ids []string
		for _, l := range suites {
			if ids = append(ids, l.suite.CaseIDs()...); l.chunks != nil {
				ids = append(ids, l.chunks.caseIDs()...)
			}
		}
		return unknownCaseError(pattern, ids)
	}
	return nil
}

func unknownCaseError(pattern string, ids []string) error {
	return fmt.Errorf("--case: no case `%s`%s", pattern, spell.DidYouMean(pattern, ids))
}
