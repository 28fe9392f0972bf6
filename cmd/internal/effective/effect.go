package effective

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// Effect is what a line of the source comes to.
type Effect struct {
	Line int // from 0
	Says string
	Lost bool // it comes to nothing
}

// Of is what a file of any dialect comes to, and what is wrong with it; those of ADK
// by the rules of a profile. It is in the order of the text; what is said of one line
// stays together.
func Of(a *analysis.Analysis, in analysis.Input, profile metric.Profile) (all []Effect) {
	if a.ADK() == adk.None {
		all = suiteEffects(a)
	} else {
		all = setEffects(a, in, profile)
	}
	for _, d := range a.Diagnostics() {
		if d.Severity <= diag.Warning {
			all = append(all, Effect{a.Source().OffsetLine(d.Span.Start), d.Message, true})
		}
	}
	slices.SortStableFunc(all, func(a, b Effect) int { return a.Line - b.Line })
	return all
}

// sourceWidth is how many columns of the source are shown.
const sourceWidth = 52

// Draw draws effects beside the lines of their source.
func Draw(source *text.Source, effects []Effect) string {
	var out strings.Builder
	last := -1
	for _, e := range effects {
		number, line := "", ""
		if e.Line != last {
			number, line = strconv.Itoa(e.Line+1), shown(source, e.Line)
		}
		last = e.Line
		bar := "│"
		if e.Lost {
			bar = "✗"
		}
		fmt.Fprintf(&out, "%5s  %s %s %s\n", number, runewidth.FillRight(line, sourceWidth), bar, e.Says)
	}
	return out.String()
}

func shown(src *text.Source, line int) string {
	words := strings.ReplaceAll(src.Slice(src.LineSpan(line)), "\t", " ")
	return runewidth.Truncate(words, sourceWidth, "…")
}
