package cli

import (
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/run"
)

// progress is a line on a terminal, and nothing anywhere else.
type progress struct{ out *report.Progress }

func (s *session) progress() progress {
	if !isTerminal(s.stderr) {
		return progress{}
	}
	return progress{&report.Progress{Out: direct(s.stderr), Width: width(s.stderr), Clock: time.Now}}
}

func (p progress) show(e run.Event) {
	if p.out != nil {
		p.out.Show(e)
	}
}

// known counts a case that was done before.
func (p progress) known(rec run.Record) {
	if p.out != nil {
		p.out.Known(rec)
		p.out.Clear()
	}
}

// checked says how much of a file has been checked.
func (p progress) checked(path string, done, all int) {
	if p.out != nil {
		p.out.Checked(path, done, all)
	}
}

func (p progress) clear() {
	if p.out != nil {
		p.out.Clear()
	}
}
