package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
)

var checkVerb = verb{
	name:    "check",
	args:    "PATH…",
	summary: "say what is wrong with eval files before a judge is paid",
	long: `Each PATH is a file or a folder. Below a folder every file that is an eval, a
targets file or a set of JSONL cases is checked, and others are left alone; a
file that is named is checked whatever it looks like. Folders that start with a
dot (other than .agentv) and node_modules are skipped. - reads standard input.

Exit status: 0 no errors (warnings may be), 1 errors, 2 nothing could be checked.`,
	example: "rubric check evals/\nrubric check --format github evals/   # in CI\nrubric check --fix my.eval.yaml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		format := flags.String("format", "text", "how to report: text, json, sarif or github")
		fix := flags.Bool("fix", false, "apply the fixes that cannot change what a correct file means")
		quiet := flags.BoolP("quiet", "q", false, "report errors only")
		return func(s *session, args []string) int { return s.check(args, *format, *fix, *quiet) }
	},
}

// checked is one file's analysis, or why there is none.
type checked struct {
	path     string
	analysis *analysis.Analysis
	err      error
}

func (s *session) check(paths []string, format string, fix, quiet bool) int {
	report, known := reports[format]
	if !known {
		return s.misuse("check: --format is `text`, `json`, `sarif` or `github`, not `%s`", format)
	}
	if len(paths) == 0 {
		return s.misuse("check: name a file or a folder, for example `rubric check .`")
	}
	results, failed := s.checkAll(paths, fix)
	if quiet {
		for _, r := range results {
			r.analysis.Diagnostics = onlyErrors(r.analysis.Diagnostics)
		}
	}
	if err := report(s, results); err != nil {
		return s.misuse("check: write the report: %s", err)
	}
	if failed {
		return exitUsage
	}
	for _, r := range results {
		if len(onlyErrors(r.analysis.Diagnostics)) > 0 {
			return exitFindings
		}
	}
	return exitOK
}

// checkAll analyses every file the paths stand for, in order. What cannot be
// read is reported at once and makes failed true.
func (s *session) checkAll(paths []string, fix bool) (results []checked, failed bool) {
	named := map[string]bool{}
	for _, p := range paths {
		named[filepath.Clean(p)] = true
	}
	files, errs := s.files(paths)
	all := make([]checked, len(files))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, path := range files {
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wait.Done() }()
			all[i] = s.checkOne(path, named[path], fix)
		}()
	}
	wait.Wait()
	for _, r := range all {
		switch {
		case r.err != nil:
			errs = append(errs, r.err)
		case r.analysis != nil:
			results = append(results, r)
		}
	}
	for _, err := range errs {
		fmt.Fprintf(s.stderr, "rubric: %s\n", err)
	}
	if len(results) == 0 && len(errs) == 0 {
		fmt.Fprintf(s.stderr, "rubric: there are no eval files in %s\n", quoted(paths))
		return nil, true
	}
	return results, len(errs) > 0
}

func (s *session) files(paths []string) ([]string, []error) {
	if len(paths) == 1 && paths[0] == "-" {
		return paths, nil
	}
	return host.Files(paths)
}

// checkOne reads and analyses one file; of files that were not named, those
// that are no evals are passed over.
func (s *session) checkOne(path string, named, fix bool) checked {
	r := checked{path: path}
	var a *analysis.Analysis
	if path == "-" {
		body, err := io.ReadAll(io.LimitReader(s.stdin, host.MaxFile))
		if err != nil {
			r.err = fmt.Errorf("standard input: %w", err)
			return r
		}
		a = analysis.Of(analysis.Input{Path: "stdin.yaml", Text: string(body)})
	} else {
		body, err := host.Read(path)
		if err != nil {
			r.err = err
			return r
		}
		a = analysis.Of(host.Input(path, body))
		if !named && !a.Recognised() {
			return r
		}
		if fix {
			a, r.err = applyFixes(path, a)
		}
	}
	r.analysis = a
	return r
}

// applyFixes writes the safe fixes of a file back to it and analyses the result.
func applyFixes(path string, a *analysis.Analysis) (*analysis.Analysis, error) {
	fixed, changed := a.Fixed()
	if !changed {
		return a, nil
	}
	err := host.WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, fixed.Source.Body)
		return err
	})
	if err != nil {
		return nil, err
	}
	return fixed, nil
}

func onlyErrors(all []diag.Diagnostic) []diag.Diagnostic {
	var errs []diag.Diagnostic
	for _, d := range all {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		}
	}
	return errs
}

func quoted(paths []string) string {
	if len(paths) == 1 {
		return "`" + paths[0] + "`"
	}
	return "these " + fmt.Sprint(len(paths)) + " places"
}
