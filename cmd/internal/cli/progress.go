package cli

import (
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/run"
)

// progressLine is a line on a terminal, and nothing anywhere else.
type progressLine struct{ out *report.Progress }

func (s *session) newProgress() progressLine {
	if !isTerminal(s.stderr) {
		return progressLine{}
	}
	return progressLine{&report.Progress{Out: rawWriter(s.stderr), Width: terminalWidth(s.stderr), Clock: time.Now}}
}

func (pl progressLine) show(e run.Event) {
	if pl.out != nil {
		pl.out.Show(e)
	}
}

// addReused counts a case that was done before.
func (pl progressLine) addReused(rec run.Record) {
	if pl.out != nil {
		pl.out.AddReused(rec)
		pl.out.Clear()
	}
}

// showChecked says how much of a file has been checked.
func (pl progressLine) showChecked(path string, done, total int) {
	if pl.out != nil {
		pl.out.ShowChecked(path, done, total)
	}
}

func (pl progressLine) clear() {
	if pl.out != nil {
		pl.out.Clear()
	}
}
