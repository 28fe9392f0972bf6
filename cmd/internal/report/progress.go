package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Progress is one line on a terminal that says how far a run is. Its caller
// knows whether Out is a terminal; nothing else is shown progress.
type Progress struct {
	Out   io.Writer
	Width int // columns; 0: not known, and taken to be 80

	running []string
	done    int
	tally   map[score.Verdict]int
}

// Show redraws the line after an event.
func (p *Progress) Show(e run.Event) {
	switch e.Stage {
	case run.Started:
		p.running = append(p.running, e.Case.ID)
	case run.Done:
		for i, id := range p.running {
			if id == e.Case.ID {
				p.running = append(p.running[:i], p.running[i+1:]...)
				break
			}
		}
		p.done++
		if p.tally == nil {
			p.tally = map[score.Verdict]int{}
		}
		p.tally[e.Record.Verdict]++
	default:
		return
	}
	line := fmt.Sprintf("%d of %d: %d pass, %d borderline, %d fail", p.done, e.Total,
		p.tally[score.Pass], p.tally[score.Borderline], p.tally[score.Fail])
	if len(p.running) > 0 {
		line += "; grading " + printable(strings.Join(p.running, ", "))
	}
	fmt.Fprintf(p.Out, "\r\x1b[K%s", cells.Truncate(line, max(cmp.Or(p.Width, 80)-1, 20), "…"))
}

// Clear takes the line away again.
func (p *Progress) Clear() { fmt.Fprint(p.Out, "\r\x1b[K") }
