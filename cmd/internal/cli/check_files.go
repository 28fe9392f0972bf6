package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/effective"
	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// checkedFile is what is kept of one file, or why there is nothing. An analysis
// takes many times the room of its text, and is given up with the next file.
type checkedFile struct {
	path        string
	source      *text.Source // nil if it was left alone
	dialect     string
	diagnostics []diag.Diagnostic
	hiddenCount int                // how many findings --quiet leaves out
	ids         lint.CaseIDs       // if there are several files
	effects     []effective.Effect // with --effective
	fixSummary  string             // what --fix did
	err         error
}

// checkFiles looks at every file the paths stand for, in order, and holds them
// against each other. What cannot be read is reported at once and makes failed
// true.
func (s *session) checkFiles(paths []string, o *checkOptions) (results []checkedFile, failed bool) {
	explicit := map[string]bool{}
	for _, p := range paths {
		explicit[filepath.Clean(p)] = true
	}
	files, errs := s.listFiles(paths)
	o.manyFiles = len(files) > 1
	all := make([]checkedFile, len(files))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, path := range files {
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wait.Done() }()
			all[i] = s.checkFile(path, explicit[path], o)
		}()
	}
	wait.Wait()
	for _, r := range all {
		switch {
		case r.err != nil:
			errs = append(errs, r.err)
		case r.source != nil:
			results = append(results, r)
		}
		if r.fixSummary != "" {
			fmt.Fprintf(s.stderr, "rubric: %s: %s\n", r.path, r.fixSummary)
		}
	}
	for _, err := range errs {
		fmt.Fprintf(s.stderr, "rubric: %s\n", err)
	}
	if len(results) == 0 && len(errs) == 0 {
		fmt.Fprintf(s.stderr, "rubric: there are no eval files in %s\n", quotePaths(paths))
		return nil, true
	}
	if o.manyFiles {
		addCrossFileDiagnostics(results)
	}
	return results, len(errs) > 0
}

// addCrossFileDiagnostics adds what files say of each other.
func addCrossFileDiagnostics(results []checkedFile) {
	var ids []lint.CaseIDs
	for _, r := range results {
		ids = append(ids, r.ids)
	}
	across := lint.FindDuplicateCaseIDs(ids)
	for i, r := range results {
		results[i].diagnostics = across[i].Merge(r.ids.Facts, r.diagnostics)
	}
}

func (s *session) listFiles(paths []string) ([]string, []error) {
	if len(paths) == 1 && paths[0] == "-" {
		return paths, nil
	}
	return host.FindEvalFiles(paths)
}

// analyse is a variable so that a test can put a fault into it.
var analyse = analysis.Of

// checkFile reads and analyses one file. A fault of ours is a finding on this file, and
// the other files' findings stay.
func (s *session) checkFile(path string, explicit bool, o *checkOptions) (r checkedFile) {
	in, err := s.readInput(path, explicit)
	if err == nil {
		in.Severities, err = o.severitiesFor(in.Path)
	}
	if err != nil {
		return checkedFile{path: path, err: err}
	}
	if path != "-" {
		in.LoadSchema = o.schemas.ForFile(path)
	}
	fault := diag.CatchPanic(func() { r = o.analyseFile(path, in, explicit) })
	if fault == nil {
		return r
	}
	source := text.New(in.Path, in.Text)
	diagnostic := fault.Diagnostic(lint.FirstLine(source))
	if o.effective { // which shows no findings
		return checkedFile{path: path, err: fmt.Errorf("%s: %s", path, diagnostic.Message)}
	}
	return checkedFile{path: path, source: source, dialect: agentv.Name, diagnostics: []diag.Diagnostic{diagnostic}}
}

// analyseFile analyses one file. Of files that were not named, those that are no evals are
// left alone.
func (o *checkOptions) analyseFile(path string, in analysis.Input, explicit bool) (r checkedFile) {
	r.path = path
	a := analyse(in)
	if !explicit && path != "-" && !a.Recognised() {
		return r
	}
	if o.fix && path != "-" {
		if a, r.fixSummary, r.err = applyFixes(path, a); r.err != nil {
			return r
		}
	}
	r.source, r.dialect, r.diagnostics = a.Source(), a.Dialect(), a.Diagnostics()
	if o.manyFiles {
		r.ids = a.CaseIDs()
	}
	if o.effective {
		r.effects, r.err = o.effectsOf(a, in)
	}
	return r
}

// readInput reads a file, or standard input for -. A file that the person named may be
// anything that can be read.
func (s *session) readInput(path string, explicit bool) (analysis.Input, error) {
	if path != "-" {
		read := host.ReadFile
		if explicit {
			read = host.ReadArgument
		}
		body, err := read(path)
		if err == nil {
			_, err = host.ReadSidecar(path)
		}
		return host.NewInput(path, body), err
	}
	body, err := host.ReadAll("standard input", s.stdin)
	return analysis.Input{Path: stdinFileName(body), Text: body}, err
}

// stdinFileName is a name for what comes without one: of ADK's files JSON is read past
// comments by its name.
func stdinFileName(body string) string {
	start := strings.TrimLeft(body, " \t\r\n\ufeff")
	for _, prefix := range []string{"{", "[", "//"} {
		if strings.HasPrefix(start, prefix) {
			return "stdin.json"
		}
	}
	return "stdin.yaml"
}

// applyFixes writes the safe fixes of a file back to it, analyses the result and
// says what was mended.
func applyFixes(path string, a *analysis.Analysis) (fixed *analysis.Analysis, summary string, err error) {
	fixed, changed := a.ApplySafeFixes()
	if !changed {
		return a, "", nil
	}
	if err := host.ReplaceText(path, a.Source().Body, fixed.Source().Body); err != nil {
		return a, "", err
	}
	return fixed, summarizeFixes(a.Diagnostics(), fixed.Diagnostics()), nil
}

// summarizeFixes names the rules of which there are fewer findings than before.
func summarizeFixes(before, after []diag.Diagnostic) string {
	fixed := map[string]int{}
	for _, d := range before {
		fixed[d.Code]++
	}
	for _, d := range after {
		fixed[d.Code]--
	}
	total, parts := 0, []string{}
	for code, n := range fixed {
		if n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%s ×%d", code, n))
		}
	}
	slices.Sort(parts)
	return fmt.Sprintf("fixed %s: %s", plural(total, "finding"), strings.Join(parts, ", "))
}
