package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/rubric-ls/rubric/cmd/internal/effective"
	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// A checkedFile holds the diagnostics of one file, or the error that prevented them. The
// analysis itself is dropped: it is many times larger than the text.
type checkedFile struct {
	path          string
	source        *text.Source // nil if the file was skipped
	dialect       string
	diagnostics   []diag.Diagnostic
	hiddenCount   int                // diagnostics that --quiet hides
	lists         []checkedFile      // files with tests that this one names
	ids           lint.CaseIDs       // set if several files are checked
	effects       []effective.Effect // with --effective
	cases         []caseSpan         // for a baseline
	baselineCount int                // diagnostics that the baseline hides
	fixSummary    string             // what --fix changed
	fixable       [2]int             // how many fixes --fix and --unsafe-fixes would apply, for the text report
	skipped       skippedFile        // why, if source is nil
	err           error
}

// checkFiles checks all files of the paths, in order, and then compares them with each
// other. Files that cannot be read are reported at once and make failed true.
func (s *session) checkFiles(paths []string, o *checkOptions) (results []checkedFile, failed bool) {
	explicit := map[string]bool{}
	for _, p := range paths {
		explicit[p], explicit[filepath.Clean(p)] = true, true
	}
	files, errs := paths, []error(nil)
	if len(paths) != 1 || paths[0] != "-" && s.buffers == nil {
		files, errs = disk.FindEvalFiles(paths)
	}
	o.manyFiles = len(files) > 1
	all := make([]checkedFile, len(files))
	var skipped []skippedFile
	parallel(len(files), runtime.GOMAXPROCS(0), func(i int) { all[i] = s.checkFile(files[i], explicit[files[i]], o) })
	for _, r := range all {
		switch {
		case r.err != nil:
			errs = append(errs, r.err)
		case r.source != nil:
			results = append(results, r)
		default:
			skipped = append(skipped, r.skipped)
		}
		switch {
		case r.fixSummary == "":
		case o.diff:
			io.WriteString(s.stdout, r.fixSummary)
		default:
			fmt.Fprintf(s.stderr, "rubric: %s: %s\n", r.path, r.fixSummary)
		}
	}
	if len(errs) > 0 {
		s.printNotes(generic.Map(errs, error.Error)) // files of one project have its faults in common
	} else if !slices.ContainsFunc(results, func(r checkedFile) bool { return filepath.Base(r.path) != host.SettingsFile || explicit[r.path] }) {
		s.printNote(noEvalFiles(paths, skipped))
		return nil, true
	}
	s.noteSkipped(skipped)
	if o.manyFiles {
		across := lint.FindDuplicateCaseIDs(generic.Map(results, func(r checkedFile) lint.CaseIDs { return r.ids }))
		for i, r := range results {
			results[i].diagnostics = across[i].Merge(r.ids.Facts, r.diagnostics)
		}
	}
	if !o.effective {
		results = withLists(results)
	}
	return results, len(errs) > 0
}

// parallel calls do for 0 to n-1, at most limit of them at a time.
func parallel(n, limit int, do func(i int)) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, limit)
	for i := range n {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	wait.Wait()
}

// analyse is a variable so that tests can inject a fault.
var analyse = analysis.Of

// checkFile reads and analyses one file. A fault of the analysis becomes a diagnostic of
// this file and does not affect others.
func (s *session) checkFile(path string, explicit bool, o *checkOptions) (r checkedFile) {
	in, err := s.readInput(path, explicit)
	if err == nil {
		in.Severities, err = host.Severities(in.Path)
	}
	if err != nil {
		return checkedFile{path: path, err: err}
	}
	if len(o.severities) > 0 { // --rule overrides the settings
		settings := in.Severities
		in.Severities = map[string]diag.Severity{}
		maps.Copy(in.Severities, settings)
		maps.Copy(in.Severities, o.severities)
	}
	in.Paths = o.format == "json"
	if path != "-" {
		in.LoadSchema = o.schemas.ForFile(path)
	}
	fault := diag.CatchPanic(func() { r = o.analyseFile(path, in, explicit) })
	if fault == nil {
		return r
	}
	source := text.New(in.Path, in.Text)
	diagnostic := fault.Diagnostic(lint.FirstLine(source))
	if o.effective { // --effective shows no diagnostics
		return checkedFile{path: path, err: fmt.Errorf("%s: %s", path, diagnostic.Message)}
	}
	return checkedFile{path: path, source: source, dialect: agentv.Name, diagnostics: []diag.Diagnostic{diagnostic}}
}

// analyseFile analyses one file. It skips files that are not evals, unless they were
// named explicitly.
func (o *checkOptions) analyseFile(path string, in analysis.Input, explicit bool) (r checkedFile) {
	r.path = path
	named := &references{}
	if !o.effective && path != "-" {
		in = named.record(in)
	}
	a := analyse(in)
	if !explicit && path != "-" && !a.Recognised() {
		r.skipped = describeSkipped(a)
		return r
	}
	if o.fix && path != "-" {
		if a, r.fixSummary, r.err = o.applyFixes(path, a); r.err != nil {
			return r
		}
	}
	r.source, r.dialect, r.diagnostics = a.Source(), a.Dialect(), a.Diagnostics()
	r.lists = named.checkLists(path, a, in.Severities)
	if o.format == "text" && path != "-" && slices.ContainsFunc(r.diagnostics, func(d diag.Diagnostic) bool { return len(d.Fixes) > 0 }) {
		for i, unsafe := range []bool{false, true} {
			_, fixes := a.ApplyFixes(unsafe)
			r.fixable[i] = len(fixes)
		}
	}
	if o.manyFiles {
		r.ids = a.CaseIDs()
	}
	if o.baseline+o.newBaseline != "" {
		r.cases = caseSpans(a)
	}
	if o.effective {
		project, err := host.RunSettings(in.Path) // an ADK file follows the ADK version of its settings
		r.effects = effective.Describe(a, in, cmp.Or(project.ADK, metric.Latest))
		if a.ADK() != adk.None {
			r.err = err
		}
	}
	return r
}

// readInput reads a file, or standard input for "-". An explicitly named file may be of
// any readable kind.
func (s *session) readInput(path string, explicit bool) (analysis.Input, error) {
	if path != "-" {
		read := disk.ReadFile
		if explicit {
			read = s.readEvalFile
		}
		body, err := read(path)
		if err == nil && filepath.Ext(path) == ".jsonl" {
			_, err = host.ReadSidecar(path)
		}
		return host.NewInput(path, body), err
	}
	body, err := disk.ReadAll("standard input", s.stdin, 0)
	return analysis.Input{Path: stdinFileName(body), Text: body}, err
}

// stdinFileName returns a file name for standard input. The ADK reader accepts comments
// in JSON by file name.
func stdinFileName(body string) string {
	start := strings.TrimLeft(body, " \t\r\n\ufeff")
	if slices.ContainsFunc([]string{"{", "[", "//"}, func(prefix string) bool { return strings.HasPrefix(start, prefix) }) {
		return "stdin.json"
	}
	return "stdin.yaml"
}

// applyFixes writes the fixes to the file, analyses the result and summarizes the fixes.
// With --diff it returns the changes instead, and writes nothing.
func (o *checkOptions) applyFixes(path string, a *analysis.Analysis) (fixed *analysis.Analysis, summary string, err error) {
	fixed, fixes := a.ApplyFixes(o.unsafeFixes)
	if len(fixes) == 0 {
		return a, "", nil
	}
	if o.diff {
		name := filepath.ToSlash(path)
		return a, string(diff.Diff("a/"+name, []byte(a.Source().Body), "b/"+name, []byte(fixed.Source().Body))), nil
	}
	if err := disk.ReplaceText(path, a.Source().Body, fixed.Source().Body); err != nil {
		return a, "", err
	}
	counts, lines := map[string]int{}, ""
	for _, f := range fixes {
		counts[f.Rule]++
		lines += fmt.Sprintf("\n  line %d: %s: %s; the line was `%s`", f.Line, f.Rule, f.Title, excerpt.Shorten(f.Was, 60))
	}
	parts := generic.Map(slices.Sorted(maps.Keys(counts)), func(rule string) string { return fmt.Sprintf("%s ×%d", rule, counts[rule]) })
	return fixed, fmt.Sprintf("fixed %s: %s%s", diag.CountNoun(len(fixes), "finding"), strings.Join(parts, ", "), lines), nil
}
