package analysis_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// faults are ways to write a node wrong that a safe fix mends: the wrong text,
// or "" where it does not apply.
var faults = map[string]func(src *text.Source, n *yaml.Node, isKey bool) string{
	"camel case": func(src *text.Source, n *yaml.Node, isKey bool) string {
		words := strings.Split(n.Value, "_")
		if !isKey || len(words) < 2 || words[1] == "" {
			return ""
		}
		return words[0] + strings.ToUpper(words[1][:1]) + strings.Join(append([]string{words[1][1:]}, words[2:]...), "_")
	},
	"a boolean in words": func(src *text.Source, n *yaml.Node, isKey bool) string {
		value, ok := n.Bool()
		switch {
		case isKey || !ok || src.Slice(n.Span) != "true" && src.Slice(n.Span) != "false":
			return ""
		case value:
			return "yes"
		}
		return "no"
	},
	"a number in quotes": func(src *text.Source, n *yaml.Node, isKey bool) string {
		if _, ok := n.Number(); isKey || !ok {
			return ""
		}
		return `"` + src.Slice(n.Span) + `"`
	},
}

// TestFixesMendTheCorpus writes one fault at a time into real files. Fixing a reported fault
// restores the file exactly.
func TestFixesMendTheCorpus(t *testing.T) {
	mended := map[string]int{}
	for _, file := range corpustest.Files(t, "agentv-seed", ".yaml") {
		path := file.Path
		whole := analyse(path, file.Body)
		if !whole.Recognised() || len(whole.Diagnostics()) > 0 {
			continue // with faults of its own
		}
		eachFault(whole, func(name string, e text.Edit) {
			broken, err := text.Apply(whole.Source().Body, []text.Edit{e})
			if err != nil {
				t.Fatal(err)
			}
			a := analyse(path, broken)
			fixed, rules := a.ApplyFixes(false)
			changed := rules != nil
			switch {
			case !changed && len(a.Diagnostics()) == 0: // no fault where it stands, as in data
			case !changed: // found, and a person's to mend
			case fixed.Source().Body == quoted(whole, e): // a text, as it stands: made one to all readers
			case fixed.Source().Body != whole.Source().Body:
				t.Errorf("%s: %s %q is fixed to another text", path, name, e.New)
			default:
				mended[name]++
			}
		})
	}
	for name := range faults {
		if mended[name] < 3 {
			t.Errorf("%s was fixed only %d times", name, mended[name])
		}
	}
	t.Logf("mended %v", mended)
}

// quoted is the file with the fault in quotes.
func quoted(whole *analysis.Analysis, e text.Edit) string {
	e.New = `"` + e.New + `"`
	body, _ := text.Apply(whole.Source().Body, []text.Edit{e})
	return body
}

// eachFault makes some faults of each kind in a file, one at a time.
func eachFault(a *analysis.Analysis, try func(string, text.Edit)) {
	const most = 12
	for name, wrong := range faults {
		attempts := 0
		yaml.Walk(a.Tree().Root(), func(n *yaml.Node) bool {
			if n.Kind != yaml.Scalar || n.Style != yaml.Plain || attempts == most {
				return true
			}
			isKey := n.Key == nil && n.Parent != nil && n.Parent.Kind == yaml.Mapping
			if with := wrong(a.Source(), n, isKey); with != "" {
				attempts++
				try(name, text.Edit{Span: n.Span, New: with})
			}
			return true
		})
	}
}
