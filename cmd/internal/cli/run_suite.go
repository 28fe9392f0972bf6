package cli

import (
	"iter"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// runSuite runs the cases of one file and calls visit for the last event of each case in the file's
// order, after its record was stored.
func (s *session) runSuite(suite loadedSuite, resume *run.Resume, o *runOptions, visit func(run.Event) error) (failed error) {
	if suite.stored != nil {
		return suite.stored(visit)
	}
	line := s.newProgress()
	defer line.Clear()
	cases, total := suite.selectedCases(o, &failed)
	for e, err := range resume.Run(s.ctx, suite.run.Runner, suite.suite, cases, total) {
		if err != nil {
			return err
		}
		line.Show(e)
		if o.observe != nil {
			o.observe(e)
		}
		if e.Stage != run.Done {
			continue
		}
		suite.shard.add(e)
		if suite.answers != nil {
			suite.answers.AddRecord(suite.run.Runner, e.Case, e.Record)
		}
		line.Clear()
		if strings.HasSuffix(e.Record.Error, run.NoExpectedOutput) {
			o.unanswered++
		}
		if err := visit(e); err != nil {
			return err
		}
		line.Redraw()
	}
	return failed
}

// selectedCases yields the selected cases, with those that they depend on, and returns their number. If a case cannot be
// read, it stops and sets failed.
func (l loadedSuite) selectedCases(o *runOptions, failed *error) (cases iter.Seq[*rubric.Case], total int) {
	if part := l.shard; part != nil {
		l.shard = nil
		cases, _ := l.selectedCases(o, failed)
		return part.selects(run.InOrder(l.suite, cases)), len(part.positions)
	}
	if l.stream != nil {
		return l.stream.cases(l.skipOwn, failed), l.stream.countCases(l.skipOwn)
	}
	selected, _ := run.WithDependencies(l.suite.Cases, o.selects())
	selected = slices.DeleteFunc(selected, func(c *rubric.Case) bool { return l.skipOwn && c.Target != "" })
	return slices.Values(selected), len(selected)
}
