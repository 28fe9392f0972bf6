package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/generic"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var viewCommand = command{
	name:    "view",
	args:    "[PATH]…",
	summary: "Show stored results in the browser",
	example: "rubric view\nrubric view baselines --open",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		addr := addrFlag(flags)
		open := flags.Bool("open", false, "open the page in the browser")
		return func(s *session, args []string) error { return s.view(args, *addr, *open) }
	},
}

func (s *session) view(args []string, addr string, open bool) error {
	if _, err := listRunFiles(args); err != nil {
		return err
	}
	return s.servePages(args, addr, open, "", "%[2]s/")
}

// A viewer draws pages of stored results.
type viewer struct {
	places []string // files and folders
	site   error    // why there is no playground

	mu    sync.Mutex
	files map[string]viewedFile // by path
}

// A viewedFile is a file of results as it was last read.
type viewedFile struct {
	resultstore.RunFile
	runs []*corereport.StoredRun // one for each target or judge
	err  error
}

// page returns a page by its name, as a file for itself if the query has `file`. With an error, it is a page
// that says what is wrong, and leads to the runs.
func (v *viewer) page(name string, query url.Values) ([]byte, error) {
	h, version, err := v.read()
	if !query.Has("file") {
		h.Live = corereport.NewLive(version, cmp.Or(name, ".")+"?"+url.Values{"run": query["run"], "file": {""}}.Encode())
	}
	var body bytes.Buffer
	switch {
	case err != nil:
	case name == "":
		err = h.Write(&body)
	case name == "run":
		err = writeRun(&body, h, query["run"])
	case name == "compare":
		err = writeComparePage(&body, h, query["run"])
	case name == page.Version:
		body.WriteString(version)
	case name == page.Open, name == page.Case:
		err = v.writeCase(&body, h, query)
	default:
		err = errors.New("there is no such page; “Runs” leads to the others")
	}
	if err != nil && name == page.Case {
		body.WriteString(err.Error())
	} else if err != nil {
		body.Reset()
		_ = corereport.WriteProblem(&body, err.Error(), corereport.NewLive(version, "")) // a buffer takes everything
	}
	return body.Bytes(), err
}

// read returns the runs as they are now, and a version that changes with them.
func (v *viewer) read() (h corereport.History, version string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	found, err := listRunFiles(v.places)
	if err != nil {
		return h, "", err
	}
	sum := sha256.New()
	for _, f := range found {
		fmt.Fprintln(sum, f.Path, f.Modified.UnixNano())
		known := v.files[f.Path]
		if known.Path == "" || !known.Modified.Equal(f.Modified) {
			known = viewedFile{RunFile: f}
			var parts []comparedRun
			parts, _, known.err = readParts(f.Path, f.Path+" · ")
			known.runs = append(known.runs, generic.Map(parts, func(part comparedRun) *corereport.StoredRun { return summarize(f, part.name, part.records) })...)
			v.files[f.Path] = known
		}
		if known.err != nil {
			h.Problems = append(h.Problems, known.err.Error())
			continue
		}
		h.Runs = append(h.Runs, known.runs...)
	}
	generic.SortStable(h.Runs, func(a, b *corereport.StoredRun) int { return strings.Compare(a.Date(), b.Date()) })
	return h, hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// writeRun shows one run.
func writeRun(w io.Writer, h corereport.History, names []string) error {
	runs, err := readViewed(h, names)
	if err != nil {
		return err
	}
	tellApart(runs) // as a comparison does, which leads to the cases
	r := storedReport(runs[0].records)
	r.Run = h.Runs[slices.IndexFunc(h.Runs, func(listed *corereport.StoredRun) bool { return listed.Path == runs[0].name })].Title()
	if r.Live = h.Live; r.Live != nil {
		r.Live.Open = func(rec run.Record) string {
			return page.Open + "?" + url.Values{"run": {runs[0].name}, "eval": {rec.EvalFile}, "case": {rec.EvalID}}.Encode()
		}
	}
	return r.HTML(w)
}

// writeComparePage compares runs with the oldest of them.
func writeComparePage(w io.Writer, h corereport.History, names []string) error {
	if len(names) < 2 {
		return errors.New("only several runs can be compared; tick two or more under “Runs”")
	}
	runs, err := readViewed(h, names)
	if err != nil {
		return err
	}
	if len(runs) < 2 {
		return errors.New("only one of these runs is left; tick two or more under “Runs”")
	}
	all := compareRuns(runs, score.DefaultThreshold)
	c := corereport.Comparison{Matrix: all.Matrix, Live: h.Live}
	for i, one := range all.Comparisons {
		s := comparisonSummary(one.Comparison, runs[i+1].records, "regression")
		c.Sections = append(c.Sections, corereport.Section{Title: one.New + " against " + one.Old, New: one.New, Lines: append([]string{s.Title + "."}, s.Lines...), Tables: s.Tables})
	}
	return c.Write(w)
}

// readViewed reads the listed runs with the given names, the oldest first.
func readViewed(h corereport.History, names []string) (runs []comparedRun, err error) {
	for _, problem := range h.Problems {
		if file, _, _ := strings.Cut(problem, ": "); slices.ContainsFunc(names, func(name string) bool { return name == file || strings.HasPrefix(name, file+" · ") }) {
			return nil, errors.New(problem)
		}
	}
	for _, listed := range h.Runs {
		if !slices.Contains(names, listed.Path) {
			continue
		}
		parts, _, err := readParts(listed.File, listed.File+" · ")
		if err != nil {
			return nil, err
		}
		for _, part := range parts {
			if part.name == listed.Path {
				runs = append(runs, part)
			}
		}
	}
	if len(runs) == 0 {
		return nil, errors.New("there is no such run; it may have been removed or renamed; “Runs” lists those that are left")
	}
	return runs, nil
}
