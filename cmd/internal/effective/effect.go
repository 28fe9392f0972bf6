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
	Line    int // from 0
	Text    string
	Ignored bool // it comes to nothing
}

// Describe is what a file of any dialect comes to, and what is wrong with it; those of ADK
// by the rules of a profile. It is in the order of the text; what is said of one line
// stays together.
func Describe(a *analysis.Analysis, in analysis.Input, profile metric.Profile) (effects []Effect) {
	if a.ADK() == adk.None {
		effects = suiteEffects(a)
	} else {
		effects = evalsetEffects(a, in, profile)
	}
	for _, d := range a.Diagnostics() {
		if d.Severity <= diag.Warning {
			effects = append(effects, Effect{a.Source().OffsetLine(d.Span.Start), d.Message, true})
		}
	}
	slices.SortStableFunc(effects, func(a, b Effect) int { return a.Line - b.Line })
	return effects
}

// sourceWidth is how many columns of the source are shown.
const sourceWidth = 52

// Render draws effects beside the lines of their source.
func Render(source *text.Source, effects []Effect) string {
	var out strings.Builder
	last := -1
	for _, e := range effects {
		number, line := "", ""
		if e.Line != last {
			number, line = strconv.Itoa(e.Line+1), sourceLine(source, e.Line)
		}
		last = e.Line
		bar := "│"
		if e.Ignored {
			bar = "✗"
		}
		fmt.Fprintf(&out, "%5s  %s %s %s\n", number, runewidth.FillRight(line, sourceWidth), bar, e.Text)
	}
	return out.String()
}

func sourceLine(src *text.Source, line int) string {
	text := strings.ReplaceAll(src.Slice(src.LineSpan(line)), "\t", " ")
	return runewidth.Truncate(text, sourceWidth, "…")
}
