package assist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
)

// host is what the marker files' completions know of the world.
var host = assist.Host{
	Targets: []string{"default", "grader model"},
	Cases:   []string{"refund", "greeting"},
	Folder: func(path string) []assist.Entry {
		switch path {
		case ".":
			return []assist.Entry{{Name: "prompts", Folder: true}, {Name: "notes.md"}}
		case "prompts":
			return []assist.Entry{{Name: "strict.md"}, {Name: "kind.md"}}
		}
		return nil
	},
}

// TestComplete: what could stand at each place, and what the text is then. Of an
// item is shown what it replaces and what it inserts, with what is left to fill
// in between braces.
func TestComplete(t *testing.T) {
	play(t, "testdata/complete.txtar", func(t *testing.T, s scene) string {
		a, cursors := s.file()
		var b strings.Builder
		for i, cursor := range cursors {
			p, offset := at(a, cursor)
			fmt.Fprintf(&b, "[%d]\n", i+1)
			for _, item := range assist.Complete(p, offset, host) {
				b.WriteString(described(a, p, item))
			}
		}
		return b.String()
	})
}

func described(a *analysis.Analysis, p *analysis.Part, item assist.Item) string {
	var stops []string
	at := 0
	for _, s := range item.Stops {
		stops = append(stops, item.Edit.New[at:s.Start], "«", item.Edit.New[s.Start:s.End], "»")
		at = s.End
	}
	stops = append(stops, item.Edit.New[at:])
	line := fmt.Sprintf("%s ⟦%s⟧ %s", item.Label, a.Slice(p.Place(item.Edit.Span)), strings.Join(stops, ""))
	if item.Filter != "" {
		line += fmt.Sprintf(" (typed %q)", item.Filter)
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "\r", "␍"), "\n", "⏎") + "\n"
}
