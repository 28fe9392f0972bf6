package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/wasm/api"
)

// A runLink is a link of the playground (editors/playground/src/link.ts) with results of a run.
type runLink struct {
	State struct {
		Files  []linkedFile `json:"files"`
		Active string       `json:"active"`
		Case   string       `json:"case"`
	} `json:"state"`
	Evaluator string    `json:"evaluator"`
	Run       linkedRun `json:"run"`
}

type linkedFile struct {
	Name string `json:"name"` // path from the root, with slashes
	Text string `json:"text"`
}

// A linkedRun has the results of the cases of an eval file.
type linkedRun struct {
	Name    string       `json:"name"`
	Records []run.Record `json:"records"`
	Stale   []string     `json:"stale"` // ids of the cases that were other ones then
}

// The playground opens at most so many files, of names of at most so many characters.
const maxLinkedFiles, maxLinkedName = 20, 120

// writeCase writes what the playground opens a case of a run from. Nothing is to be opened without a run.
func (v *viewer) writeCase(w io.Writer, h corereport.History, query url.Values) error {
	if v.site != nil || !query.Has("run") {
		return v.site
	}
	runs, err := readViewed(h, query["run"])
	if err != nil {
		return err
	}
	id, evalFile := query.Get("case"), query.Get("eval")
	link := runLink{Evaluator: api.Version, Run: linkedRun{Name: runs[0].name, Stale: []string{}}}
	for _, rec := range runs[0].records {
		if rec.EvalFile == evalFile {
			link.Run.Records = append(link.Run.Records, rec.Judged(rec.RunThreshold))
		}
	}
	if !slices.ContainsFunc(link.Run.Records, func(rec run.Record) bool { return rec.EvalID == id }) {
		return fmt.Errorf("the run %s has no case `%s` of this eval file; “Runs” leads to what it has", link.Run.Name, id)
	}
	if evalFile == "" {
		return errors.New("these results do not name their eval file, as results of other tools; open the playground, and the eval file there")
	}
	file := h.Runs[slices.IndexFunc(h.Runs, func(r *corereport.StoredRun) bool { return r.Path == runs[0].name })].File
	if err := link.open(file, evalFile, id); err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(link)
}

// open reads an eval file of results, with the files that it names, and finds out which cases have changed since.
// No file is outside the root of the results or that of the working directory.
func (l *runLink) open(results, evalFile, id string) error {
	file := resultstore.ResolveEvalFile(evalFile, results)
	root := disk.Root(results)
	body, err := disk.ReadWithin(root, file)
	if here := disk.Root("here"); err != nil && disk.Root(file) == here { // a home directory is not the root of what is below it
		root = here
		body, err = disk.ReadWithin(root, file)
	}
	if err != nil {
		return fmt.Errorf("%w; the playground needs the eval file of the run: put it back, or start `rubric view` in its folder, and open the case again", err)
	}
	l.State.Case, l.State.Active = id, l.add(root, file, body)
	in := host.NewInput(file, body)
	read := in.ReadFile
	in.ReadFile = func(reference string) (string, bool) {
		body, found := read(reference)
		if found {
			l.add(root, filepath.Join(filepath.Dir(file), reference), body)
		}
		return body, found
	}
	if in.Sidecar != nil {
		l.add(root, host.SidecarPath(file), *in.Sidecar)
	}
	a := analysis.Of(in)
	_ = a.Diagnostics() // which read all files that the evaluator reads, too
	suite := a.Suite()
	if a.ADK() != adk.None {
		set, settings := evalset{path: file, file: adk.Open(file, body)}, run.DefaultSettings()
		recording := filepath.Join(filepath.Dir(file), l.Run.Records[0].Target)
		if text, err := disk.ReadWithin(root, recording); err == nil && adk.IsResultsName(recording) {
			l.add(root, recording, text)
			settings.Recorded = []string{recording}
		}
		suite = &rubric.Suite{} // without its cases, all have changed
		if evaluation, err := set.evaluate(&settings); err == nil {
			suite = evaluation.Suite
		}
	} else {
		fillSuite(file, suite)
	}
	for _, rec := range l.Run.Records {
		if c := suite.Case(rec.EvalID); c == nil || rec.CaseFingerprint != "" && rec.CaseFingerprint != c.Fingerprint() {
			l.Run.Stale = append(l.Run.Stale, rec.EvalID)
		}
	}
	return nil
}

// add adds a file once, unless the playground cannot open it, and returns its name there.
func (l *runLink) add(root, file, body string) string {
	name := filepath.Base(file)
	if absolute, err := filepath.Abs(file); err == nil {
		if relative, err := filepath.Rel(root, absolute); err == nil && filepath.IsLocal(relative) && len(relative) <= maxLinkedName {
			name = filepath.ToSlash(relative)
		}
	}
	isThere := slices.ContainsFunc(l.State.Files, func(f linkedFile) bool { return f.Name == name })
	if !isThere && len(l.State.Files) < maxLinkedFiles && len(name) <= maxLinkedName && utf8.ValidString(body) {
		l.State.Files = append(l.State.Files, linkedFile{name, body})
	}
	return name
}
