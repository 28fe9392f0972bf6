package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
)

// A baseline lists findings that check does not report, so that an old project can start with the
// new ones.
type baseline struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
}

const baselineVersion = 1

// A baselineEntry stands for findings of one rule about one text. Lines do not matter.
type baselineEntry struct {
	baselineKey
	Count int `json:"count"`
}

type baselineKey struct {
	File string `json:"file"` // relative to the baseline's folder, with slashes
	Rule string `json:"rule"`
	Case string `json:"case,omitempty"` // the id of the case around it, if there is one
	Text string `json:"text"`           // the first line of what is reported
}

// A caseSpan is where a case is in its file.
type caseSpan struct {
	span text.Span
	id   string
}

// caseSpans returns the cases of a file in order.
func caseSpans(a *analysis.Analysis) (spans []caseSpan) {
	for _, c := range a.Suite().AllCases() {
		if c.SourceFile == "" {
			spans = append(spans, caseSpan{c.Span, c.ID})
		}
	}
	generic.SortStable(spans, func(a, b caseSpan) int { return cmp.Compare(a.span.Start, b.span.Start) })
	return spans
}

// baselineKeyOf returns the key of a finding in a file.
func baselineKeyOf(file string, r checkedFile, d diag.Diagnostic) baselineKey {
	first, _, _ := strings.Cut(r.source.Slice(d.Span), "\n")
	key := baselineKey{File: file, Rule: d.Code, Text: strings.ToValidUTF8(strings.TrimSpace(first), "?")}
	if i := sort.Search(len(r.cases), func(i int) bool { return r.cases[i].span.Start > d.Span.Start }); i > 0 && r.cases[i-1].span.Contains(d.Span) {
		key.Case = r.cases[i-1].id
	}
	return key
}

// baselineName returns the name of a file in the baseline at path.
func baselineName(path, file string) string {
	folder, err := filepath.Abs(filepath.Dir(path))
	whole, fileErr := filepath.Abs(file)
	if name, relErr := filepath.Rel(folder, whole); errors.Join(err, fileErr, relErr) == nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(file)
}

func readBaseline(path string) (b baseline, err error) {
	body, err := disk.ReadArgument(path)
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal([]byte(body), &b); err != nil || b.Version == 0 {
		return b, fmt.Errorf("%s: this is no baseline of `rubric check`", path)
	}
	if b.Version > baselineVersion {
		return b, fmt.Errorf("%s: this baseline has version %d; this `rubric` reads version %d", path, b.Version, baselineVersion)
	}
	return b, nil
}

// applyBaseline removes the findings that the baseline at path lists. It names the entries about
// which nothing is found any more, unless their file exists and was not checked.
func (s *session) applyBaseline(path string, results []checkedFile) error {
	b, err := readBaseline(path)
	if err != nil {
		return err
	}
	left, isChecked := map[baselineKey]int{}, map[string]bool{}
	for _, e := range b.Findings {
		left[e.baselineKey] += e.Count
	}
	for i, r := range results {
		name := baselineName(path, r.path)
		isChecked[name] = true
		results[i].diagnostics = slices.DeleteFunc(slices.Clone(r.diagnostics), func(d diag.Diagnostic) bool {
			key := baselineKeyOf(name, r, d)
			left[key]--
			return left[key] >= 0
		})
		results[i].baselineCount = len(r.diagnostics) - len(results[i].diagnostics)
	}
	var expired []string
	for _, e := range b.Findings {
		if left[e.baselineKey] > 0 && (isChecked[e.File] || !disk.Exists(filepath.Join(filepath.Dir(path), filepath.FromSlash(e.File)))) {
			expired = append(expired, fmt.Sprintf("  %s: %s: %s", e.File, e.Rule, e.Text))
		}
	}
	if len(expired) > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s: %d %s no longer found; `--write-baseline %s` removes %s:\n%s\n", path, len(expired),
			diag.Plural(len(expired), "entry is", "entries are"), path, diag.Plural(len(expired), "it", "them"), strings.Join(expired, "\n"))
	}
	return nil
}

// writeBaseline writes the findings into the baseline at path. Entries of files that exist and were
// not checked stay.
func (s *session) writeBaseline(path string, results []checkedFile) error {
	old, err := readBaseline(path)
	if err != nil {
		if _, missing := os.Lstat(path); !errors.Is(missing, fs.ErrNotExist) {
			return err
		}
	}
	counts, isChecked := map[baselineKey]int{}, map[string]bool{}
	for _, r := range results {
		name := baselineName(path, r.path)
		isChecked[name] = true
		for _, d := range r.diagnostics {
			counts[baselineKeyOf(name, r, d)]++
		}
	}
	for _, e := range old.Findings {
		if !isChecked[e.File] && disk.Exists(filepath.Join(filepath.Dir(path), filepath.FromSlash(e.File))) {
			counts[e.baselineKey] += e.Count
		}
	}
	b, total := baseline{Version: baselineVersion, Findings: []baselineEntry{}}, 0
	for key, n := range counts {
		b.Findings = append(b.Findings, baselineEntry{key, n})
		total += n
	}
	slices.SortFunc(b.Findings, func(x, y baselineEntry) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Case, y.Case), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Text, y.Text))
	})
	if err := disk.WriteFile(path, func(w io.Writer) error { return report.WriteJSON(w, b) }); err != nil {
		return err
	}
	fmt.Fprintf(s.stderr, "rubric: %s has %s; `rubric check --baseline %s` reports only others\n", path, diag.CountNoun(total, "finding"), path)
	return nil
}
