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

// checked is what is kept of one file, or why there is nothing. An analysis
// takes many times the room of its text, and is given up with the next file.
type checked struct {
	path    string
	source  *text.Source // nil if it was left alone
	dialect string
	found   []diag.Diagnostic
	hidden  int                // how many findings --quiet leaves out
	ids     lint.CaseIDs       // if there are several files
	effects []effective.Effect // with --effective
	mended  string             // what --fix did
	err     error
}

// checkAll looks at every file the paths stand for, in order, and holds them
// against each other. What cannot be read is reported at once and makes failed
// true.
func (s *session) checkAll(paths []string, o *checkOptions) (results []checked, failed bool) {
	named := map[string]bool{}
	for _, p := range paths {
		named[filepath.Clean(p)] = true
	}
	files, errs := s.files(paths)
	o.several = len(files) > 1
	all := make([]checked, len(files))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, path := range files {
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wait.Done() }()
			all[i] = s.checkOne(path, named[path], o)
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
		if r.mended != "" {
			fmt.Fprintf(s.stderr, "rubric: %s: %s\n", r.path, r.mended)
		}
	}
	for _, err := range errs {
		fmt.Fprintf(s.stderr, "rubric: %s\n", err)
	}
	if len(results) == 0 && len(errs) == 0 {
		fmt.Fprintf(s.stderr, "rubric: there are no eval files in %s\n", quoted(paths))
		return nil, true
	}
	if o.several {
		together(results)
	}
	return results, len(errs) > 0
}

// together adds what files say of each other.
func together(results []checked) {
	var ids []lint.CaseIDs
	for _, r := range results {
		ids = append(ids, r.ids)
	}
	across := lint.DuplicateCaseIDs(ids)
	for i, r := range results {
		results[i].found = across[i].Found(r.ids.Claims, r.found)
	}
}

func (s *session) files(paths []string) ([]string, []error) {
	if len(paths) == 1 && paths[0] == "-" {
		return paths, nil
	}
	return host.Files(paths)
}

// analyse is a variable so that a test can put a fault into it.
var analyse = analysis.Of

// checkOne reads and analyses one file. A fault of ours is a finding on this file, and
// the other files' findings stay.
func (s *session) checkOne(path string, named bool, o *checkOptions) (r checked) {
	in, err := s.input(path, named)
	if err == nil {
		in.Severities, err = o.severitiesFor(in.Path)
	}
	if err != nil {
		return checked{path: path, err: err}
	}
	if path != "-" {
		in.Schemas = o.schemas.Beside(path)
	}
	fault := diag.Guard(func() { r = o.look(path, in, named) })
	if fault == nil {
		return r
	}
	source := text.New(in.Path, in.Text)
	finding := fault.Finding(lint.FirstLine(source))
	if o.effective { // which shows no findings
		return checked{path: path, err: fmt.Errorf("%s: %s", path, finding.Message)}
	}
	return checked{path: path, source: source, dialect: agentv.Name, found: []diag.Diagnostic{finding}}
}

// look analyses one file. Of files that were not named, those that are no evals are
// left alone.
func (o *checkOptions) look(path string, in analysis.Input, named bool) (r checked) {
	r.path = path
	a := analyse(in)
	if !named && path != "-" && !a.Recognised() {
		return r
	}
	if o.fix && path != "-" {
		if a, r.mended, r.err = applyFixes(path, a); r.err != nil {
			return r
		}
	}
	r.source, r.dialect, r.found = a.Source(), a.Dialect(), a.Diagnostics()
	if o.several {
		r.ids = a.CaseIDs()
	}
	if o.effective {
		r.effects, r.err = o.effects(a, in)
	}
	return r
}

// input reads a file, or standard input for -. A file that the person named may be
// anything that can be read.
func (s *session) input(path string, named bool) (analysis.Input, error) {
	if path != "-" {
		read := host.Read
		if named {
			read = host.ReadArgument
		}
		body, err := read(path)
		if err == nil {
			_, err = host.Sidecar(path)
		}
		return host.Input(path, body), err
	}
	body, err := host.ReadAll("standard input", s.stdin)
	return analysis.Input{Path: stdinName(body), Text: body}, err
}

// stdinName is a name for what comes without one: of ADK's files JSON is read past
// comments by its name.
func stdinName(body string) string {
	start := strings.TrimLeft(body, " \t\r\n\ufeff")
	for _, begins := range []string{"{", "[", "//"} {
		if strings.HasPrefix(start, begins) {
			return "stdin.json"
		}
	}
	return "stdin.yaml"
}

// applyFixes writes the safe fixes of a file back to it, analyses the result and
// says what was mended.
func applyFixes(path string, a *analysis.Analysis) (fixed *analysis.Analysis, mended string, err error) {
	fixed, changed := a.Fixed()
	if !changed {
		return a, "", nil
	}
	if err := host.Rewrite(path, a.Source().Body, fixed.Source().Body); err != nil {
		return a, "", err
	}
	return fixed, mendedWords(a.Diagnostics(), fixed.Diagnostics()), nil
}

// mendedWords names the rules of which there are fewer findings than before.
func mendedWords(before, after []diag.Diagnostic) string {
	fewer := map[string]int{}
	for _, d := range before {
		fewer[d.Code]++
	}
	for _, d := range after {
		fewer[d.Code]--
	}
	total, parts := 0, []string{}
	for code, n := range fewer {
		if n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%s ×%d", code, n))
		}
	}
	slices.Sort(parts)
	return fmt.Sprintf("fixed %s: %s", plural(total, "finding"), strings.Join(parts, ", "))
}
