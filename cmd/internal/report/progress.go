package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// Progress is one terminal line that shows the progress of a run. The caller checks that
// Out is a terminal. A nil *Progress shows nothing.
type Progress struct {
	Out   io.Writer
	Width int              // columns; 0: unknown, 80 is assumed
	Clock func() time.Time // for the rate and the remaining time, and to redraw a few times a second only

	startedAt, drawnAt time.Time
	running            []string
	done               corereport.Totals
	reused             int            // finished cases that an earlier run has graded
	usage              run.ModelUsage // without theirs
	line               string         // as it was drawn last
}

// Show redraws the line after an event.
func (p *Progress) Show(e run.Event) {
	if p == nil {
		return
	}
	now := p.now()
	switch e.Stage {
	case run.Started:
		p.running = append(p.running, e.Case.ID)
	case run.Done:
		if i := slices.Index(p.running, e.Case.ID); i >= 0 {
			p.running = slices.Delete(p.running, i, i+1)
		}
		p.done.Add(*e.Record)
		if e.Reused {
			p.reused++
			return
		}
		p.usage.Add(e.Record.JudgeUsage())
		p.usage.Add(e.Record.TargetUsage())
	default:
		return
	}
	if now.Sub(p.drawnAt) < redrawInterval && p.done.Cases < e.Total {
		return
	}
	p.drawnAt = now
	line := fmt.Sprintf("%d of %d: %d pass, %d borderline, %d fail", p.done.Cases, e.Total, p.done.Pass, p.done.Borderline, p.done.Fail)
	if n := p.done.Ungraded; n > 0 {
		line += fmt.Sprintf(", %d ungraded", n)
	}
	line += p.pace(e.Total, now)
	if p.usage.Calls > 0 {
		line += "; " + p.cost()
	}
	if len(p.running) > 0 {
		line += "; grading " + Printable(strings.Join(p.running, ", "))
	}
	p.Draw(line)
}

// ShowChecked shows which share of a file is checked, if checking takes long.
func (p *Progress) ShowChecked(path string, done, total int) {
	if p == nil {
		return
	}
	first, now := p.startedAt.IsZero(), p.now()
	if first {
		p.drawnAt = now
	}
	if now.Sub(p.drawnAt) < redrawInterval {
		return
	}
	p.drawnAt = now
	p.Draw(fmt.Sprintf("checking %s: %d %%", Printable(path), 100*done/total))
}

// Draw replaces the line.
func (p *Progress) Draw(line string) {
	if p != nil {
		p.line = line
		fmt.Fprintf(p.Out, "\r\x1b[K%s", columns.Truncate(line, max(cmp.Or(p.Width, 80)-1, 20), "…"))
	}
}

// redrawInterval is the shortest time between two drawings.
const redrawInterval = 100 * time.Millisecond

// now returns the time. The first call sets the start.
func (p *Progress) now() time.Time {
	now := p.Clock()
	if p.startedAt.IsZero() {
		p.startedAt, p.drawnAt = now, now.Add(-redrawInterval)
	}
	return now
}

// pace returns the rate per second or minute, and the estimated remaining time.
func (p *Progress) pace(total int, now time.Time) string {
	elapsed, done := now.Sub(p.startedAt), p.done.Cases-p.reused
	if done == 0 || elapsed <= 0 {
		return ""
	}
	rate, unit := float64(done)/elapsed.Seconds(), "s"
	if rate < 1 {
		rate, unit = rate*60, "min"
	}
	left := elapsed / time.Duration(done) * time.Duration(total-p.done.Cases)
	format := "; %.3g/%s"
	if rate >= 1000 {
		format = "; %.0f/%s"
	}
	text := fmt.Sprintf(format, rate, unit)
	if left > 0 {
		text += ", " + max(left.Round(time.Second), time.Second).String() + " left"
	}
	return text
}

// cost returns the cost so far, or says that it is unknown.
func (p *Progress) cost() string {
	switch {
	case p.usage.Unpriced == p.usage.Calls:
		return "cost unknown"
	case p.usage.Unpriced > 0:
		return fmt.Sprintf("$%.4f and unknown costs", p.usage.Cost)
	}
	return fmt.Sprintf("$%.4f", p.usage.Cost)
}

// Clear removes the line, so that something else can be printed.
func (p *Progress) Clear() {
	if p != nil {
		fmt.Fprint(p.Out, "\r\x1b[K")
	}
}

// Redraw draws the line again after Clear.
func (p *Progress) Redraw() {
	if p != nil && p.line != "" {
		p.Draw(p.line)
	}
}
