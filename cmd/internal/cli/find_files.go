package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
)

// findRunFiles returns the files to run. Folders and patterns among paths stand for the eval files
// in them, and no path for the current folder. Other paths stay as they are. What a folder has and cannot be
// read is printed and returned beside the files.
func (s *session) findRunFiles(paths []string) (files []string, unread []corereport.LeftOut, err error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var skipped []skippedFile
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() || err != nil && !disk.IsPattern(path) {
			files = append(files, path)
			continue
		}
		found, errs := disk.FindEvalFiles([]string{path})
		if len(errs) > 0 && len(found) == 0 {
			return nil, nil, errs[0]
		}
		for _, err := range errs {
			file, _, _ := strings.Cut(err.Error(), ": ")
			unread = append(unread, corereport.LeftOut{File: file, Line: 1, Error: err.Error()})
		}
		for _, file := range found {
			if reason, isEval := s.isRunnable(file); isEval {
				files = append(files, file)
			} else {
				skipped = append(skipped, reason)
			}
		}
	}
	switch {
	case len(files) == 0 && len(unread) > 0:
		return nil, nil, errors.New(unread[0].Error)
	case len(files) == 0:
		return nil, nil, fmt.Errorf("%s", noEvalFiles(paths, skipped))
	}
	for _, u := range unread {
		s.printNote(u.Error + "; the other files run")
	}
	s.noteSkipped(skipped)
	return files, unread, nil
}

// isRunnable reports whether a file in a folder has cases to run, or else why it is skipped. A file
// that cannot be read counts, so that the run reports the error.
func (s *session) isRunnable(path string) (skippedFile, bool) {
	body, err := disk.ReadFile(path)
	if err != nil {
		return skippedFile{}, true
	}
	in := host.NewInput(path, body)
	in.SkipLint = true // the run lints it
	a := analyse(in)
	switch a.ADK() {
	case adk.EvalSet, adk.Older, adk.Turns:
		return skippedFile{}, true
	case adk.None:
		switch a.Role() {
		case agentv.Eval, agentv.EvalV4, agentv.Cases:
			return describeSkipped(a), a.Recognised()
		}
		return skippedFile{}, dialect.IsOtherSuite(a.Role())
	}
	return skippedFile{}, false
}

// A skippedFile says why a file in a folder is not taken for an eval file.
type skippedFile struct {
	reason string // "" if the file is nothing like an eval file
	isNear bool   // most likely an eval file was meant
}

// describeSkipped describes a file that is not recognised.
func describeSkipped(a *analysis.Analysis) skippedFile {
	path := a.Source().Name
	for _, entry := range a.Tree().Root().Entries() {
		key := entry.Key.Text()
		if near := spell.Nearest(key, []string{"evalcases", "testcases"}); near != "" {
			return skippedFile{fmt.Sprintf("%s: is no eval file, because it has `%s`; did you mean `%s`?", path, key, near), true}
		}
	}
	if a.Role() == agentv.EvalV4 {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ".eval.yaml"
		isNear := slices.ContainsFunc(a.Suite().Cases, func(c *rubric.Case) bool { return len(c.Graders) > 0 })
		return skippedFile{fmt.Sprintf("%s: without `evalcases`, only its name can make it an eval file; rename it to %s, or name it in the command", path, name), isNear}
	}
	return skippedFile{}
}

// noteSkipped prints which files were most likely meant as eval files.
func (s *session) noteSkipped(skipped []skippedFile) {
	for _, f := range skipped {
		if f.isNear {
			s.printNote(f.reason)
		}
	}
}

// noEvalFiles describes that the paths have no eval files, what was looked for and what is like it.
func noEvalFiles(paths []string, skipped []skippedFile) string {
	w := &strings.Builder{}
	fmt.Fprintf(w, "no eval files in %s\n", diag.JoinList(diag.Backtick(paths), "and"))
	w.WriteString("  looked for YAML with `evalcases`, *.eval.yaml, eval.yaml, *.jsonl with a case per line, ADK's *.evalset.json")
	for _, o := range dialect.Others() {
		w.WriteString(", and " + o.Files[0].Title + "s")
	}
	shown := 0
	for _, f := range skipped {
		if f.reason != "" && shown < 5 {
			shown++
			w.WriteString("\n  " + f.reason)
		}
	}
	if shown == 0 {
		w.WriteString("\n  `rubric init` writes a first eval file")
	}
	return w.String()
}
