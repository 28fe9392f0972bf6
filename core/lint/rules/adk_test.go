package rules_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/text"
)

var update = flag.Bool("update", false, "write what is found into the marker file")

// folder holds the ADK files of one folder by name, in the order of the marker file.
type folder struct {
	names  []string
	bodies map[string]string
	want   string
}

// TestADK checks folders of ADK's files against testdata/adk.txtar. Each fix removes its
// diagnostic.
func TestADK(t *testing.T) {
	const path = "testdata/adk.txtar"
	archive, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, f := range folders(string(archive), &out) {
		got := f.findings(t)
		for _, name := range f.names {
			out.WriteString("-- " + name + " --\n" + f.bodies[name])
		}
		out.WriteString("-- want --\n" + got)
		if got != f.want && !*update {
			t.Errorf("%s\ngot\n%s\nwant\n%s", f.names, got, f.want)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// folders reads a txtar archive. Each folder ends with want. Text before the first file goes
// to lead.
func folders(archive string, lead *strings.Builder) (all []folder) {
	name, f := "", folder{bodies: map[string]string{}}
	for line := range strings.Lines(archive) {
		head, isHead := strings.CutPrefix(line, "-- ")
		switch {
		case isHead && name == "want":
			all, f = append(all, f), folder{bodies: map[string]string{}}
			fallthrough
		case isHead:
			if name = strings.TrimSuffix(head, " --\n"); name != "want" {
				f.names = append(f.names, name)
			}
		case name == "":
			lead.WriteString(line)
		case name == "want":
			f.want += line
		default:
			f.bodies[name] += line
		}
	}
	return append(all, f)
}

func (f folder) input(name string) analysis.Input {
	bodies := map[string]string{}
	for full, body := range f.bodies {
		bodies[strings.Fields(full)[0]] = body // more words say what it shows
	}
	return analysis.Input{
		Path: strings.Fields(name)[0], Text: f.bodies[name],
		ReadFile:    func(name string) (string, bool) { body, found := bodies[name]; return body, found },
		FolderNames: func() []string { return slices.Sorted(maps.Keys(bodies)) },
	}
}

func (f folder) findings(t *testing.T) string {
	var b strings.Builder
	for _, name := range f.names {
		in := f.input(name)
		a := analysis.Of(in)
		for _, d := range a.Diagnostics() {
			at := a.Source().OffsetPosition(d.Span.Start, text.UTF8)
			fmt.Fprintf(&b, "%s:%d:%d %s %s ⟦%s⟧ %s\n", in.Path, at.Line+1, at.Character+1, d.Severity, d.Code, strings.ReplaceAll(a.Source().Slice(d.Span), "\n", "⏎"), d.Message)
			for _, fix := range d.Fixes {
				body, err := text.Apply(in.Text, fix.Edits)
				if err != nil {
					t.Fatal(err)
				}
				mended := in
				mended.Text = body
				left := analysis.Of(mended).Diagnostics()
				if countEqual(left, d) >= countEqual(a.Diagnostics(), d) {
					t.Errorf("%s: %q of %s leaves %d findings of %d in\n%s", name, fix.Title, d.Code, len(left), len(a.Diagnostics()), body)
				}
				fmt.Fprintf(&b, "\t%s\n", fix.Title)
			}
		}
	}
	return b.String()
}

// countEqual is how many findings say the same as one.
func countEqual(found []diag.Diagnostic, as diag.Diagnostic) (n int) {
	for _, d := range found {
		if d.Code == as.Code && d.Message == as.Message {
			n++
		}
	}
	return n
}

// TestADKRefusals: diagnostics say "refuses" exactly for the files that ADK refused in the
// conformance cases, and likewise for metrics that it does not evaluate.
func TestADKRefusals(t *testing.T) {
	type testCase struct {
		Name, Kind string
		Input      map[string]json.RawMessage
		Expected   json.RawMessage
	}
	var cases []testCase
	for _, name := range []string{"adk.json", "adk-parse.json"} {
		body, err := os.ReadFile("../../../testdata/conformance/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var more []testCase
		if err := json.Unmarshal(body, &more); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, more...)
	}
	checked := 0
	for _, c := range cases {
		path, key := adk.ConfigName, "config"
		switch c.Kind {
		case "evalset_parse":
			path, key = "s.evalset.json", "evalset"
		case "config_parse":
		default:
			continue
		}
		checked++
		var words string
		if json.Unmarshal(c.Input[key+"_text"], &words) != nil {
			words = string(c.Input[key])
		}
		a := analysis.Of(analysis.Input{Path: path, Text: words})
		if a.ADK() == adk.Turns {
			continue // which ADK's test runner reads
		}
		for says, want := range map[string]string{"the runner refuses the file": `"load": "error"`, "does not evaluate the metric": `"evaluator": "error"`} {
			isReported := slices.ContainsFunc(a.Diagnostics(), func(d diag.Diagnostic) bool {
				return (d.Severity == diag.Error || d.Code == "not-json") && strings.Contains(d.Message, says)
			})
			expected := strings.Contains(string(c.Expected), want)
			late := c.Name == "cfg_duplicate_rubric_ids_accepted_at_load" || strings.Contains(string(c.Expected), `"load": "error"`) && !expected
			if isReported != expected && !late {
				t.Errorf("%s: %v in\n%s", c.Name, a.Diagnostics(), words)
			}
		}
	}
	if checked < 150 {
		t.Errorf("only %d files", checked)
	}
}
