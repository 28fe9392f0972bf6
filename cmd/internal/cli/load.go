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

// loaded is an eval file that can be run.
type loaded struct {
	path    string
	suite   *rubric.Suite
	trial   *adk.Trial     // of ADK's files: what is measured, instead of graded
	profile metric.Profile // whose rules it is measured by
	target  namedTarget    // once it is open, as is
	judge   namedJudge     // the judge
	pieces  *pieces        // the cases, some at a time; nil where suite has them all
}

// load reads the files to run. A file with errors is not run unless that is
// asked for: a judge would be paid for what is not meant.
func (s *session) load(files []string, o *runOptions) (suites []loaded, code int) {
	r := &reading{}
	for i, path := range files {
		if slices.ContainsFunc(files[:i], func(other string) bool { return host.SameFile(path, other) }) {
			continue
		}
		var suite loaded
		fault := diag.Guard(func() { suite, code = s.loadFile(path, r, o) })
		if fault != nil {
			return nil, s.refuse("%s: %s", path, fault.Finding(text.Span{}).Message)
		}
		if code != exitOK {
			return nil, code
		}
		suites = append(suites, suite)
	}
	if err := cmp.Or(found(suites, o.cases), o.resultFault(suites)); err != nil {
		return nil, s.refuse("%s", err)
	}
	return suites, exitOK
}

func (s *session) loadFile(path string, r *reading, o *runOptions) (loaded, int) {
	if _, err := host.Sidecar(path); err != nil {
		return loaded{}, s.refuse("%s", err)
	}
	suite, undivided := s.inPieces(path, r, o)
	if undivided == nil {
		return suite, exitOK
	}
	if s.ctx.Err() != nil {
		return loaded{}, exitFindings
	}
	set, body, err := openFile(path)
	if err != nil {
		return loaded{}, s.refuse("%s%s", err, inPiecesInstead(path, err, undivided))
	}
	if set != nil {
		return s.loadEvalset(set, r, o)
	}
	if foreign := o.used(); foreign != "" {
		return loaded{}, s.refuse("%s is for ADK's files, and %s is none", foreign, path)
	}
	a, err := s.sound(host.Input(path, body), r, o)
	if err != nil {
		return loaded{}, s.refuse("%s", err)
	}
	for _, loss := range a.Suite().Losses {
		if loss.Fatal {
			return loaded{}, s.refuse("%s cannot be run: %s; see `rubric check`", path, loss.Kind)
		}
	}
	if len(a.Suite().Cases) == 0 {
		return loaded{}, s.refuse("%s has no cases to run", path)
	}
	for _, problem := range host.Fill(path, a.Suite()) {
		fmt.Fprintf(s.stderr, "rubric: %s: %s\n", path, problem)
	}
	return loaded{path: path, suite: a.Suite()}, exitOK
}

// inPiecesInstead is how a file could be run that is too large to be read at once,
// and that could not be run a piece at a time.
func inPiecesInstead(path string, err, undivided error) string {
	switch {
	case !errors.Is(err, host.ErrTooLarge), undivided == nil:
		return ""
	case undivided != errUndivided:
		return fmt.Sprintf(", or mend what keeps it from being run a piece at a time: %s", undivided)
	case strings.EqualFold(filepath.Ext(path), ".json"):
		return ""
	}
	return ", or write its cases as JSONL, one to a line, which is run a piece at a time"
}

// reading is what is known of the files beside those that are read.
type reading struct {
	settings host.Settings
	schemas  host.Schemas
}

// sound analyses a file that is to be run or converted. One with errors is shown with
// them, and is an error itself.
func (s *session) sound(in analysis.Input, r *reading, o *runOptions) (*analysis.Analysis, error) {
	a, faults, err := r.faults(in)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 && !o.ignoreErrors {
		s.show(a, faults)
		wayOut := ""
		if s.verb == "run" {
			wayOut = "; mend them, or run what is left with --ignore-errors"
		}
		return nil, fmt.Errorf("%s has %s%s", in.Path, plural(len(faults), "error"), wayOut)
	}
	return a, nil
}

// faults analyses a file and gives the errors in it.
func (r *reading) faults(in analysis.Input) (*analysis.Analysis, []diag.Diagnostic, error) {
	severities, err := r.settings.Of(in.Path)
	if err != nil {
		return nil, nil, err
	}
	in.Schemas, in.Severities = r.schemas.Beside(in.Path), lint.OnlyErrors(severities)
	a := analyse(in)
	return a, only(diag.Error, a.Diagnostics()), nil
}

func (s *session) show(a *analysis.Analysis, found []diag.Diagnostic) {
	render := diag.Renderer{Color: s.colored(s.stderr)}
	for _, d := range found {
		_ = render.Render(s.stderr, a.Source(), d) // what cannot be told on standard error cannot be told
		fmt.Fprintln(s.stderr)
	}
}

// matched makes sure that every --case names one: a misspelt id would pass for
// a run that is well.
func matched(cases []*rubric.Case, patterns []string) error {
	for _, pattern := range patterns {
		if !slices.ContainsFunc(cases, run.Only(pattern)) {
			return noCase(pattern, (&rubric.Suite{Cases: cases}).IDs())
		}
	}
	return nil
}

// found is [matched] for files whose cases may be more than there is room for.
func found(suites []loaded, patterns []string) error {
	for _, pattern := range patterns {
		named := func(l loaded) bool {
			if l.pieces != nil {
				return l.pieces.named[pattern]
			}
			return slices.ContainsFunc(l.suite.Cases, run.Only(pattern))
		}
		if slices.ContainsFunc(suites, named) {
			continue
		}
		var ids []string
		for _, l := range suites {
			if ids = append(ids, l.suite.IDs()...); l.pieces != nil {
				ids = append(ids, l.pieces.names()...)
			}
		}
		return noCase(pattern, ids)
	}
	return nil
}

func noCase(pattern string, ids []string) error {
	return fmt.Errorf("--case: there is no case `%s`%s", pattern, spell.DidYouMean(pattern, ids))
}
