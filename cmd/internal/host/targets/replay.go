package targets

import (
	"cmp"
	"errors"
	"path/filepath"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/run"
)

// newReplay returns a function that opens the recorded answers of a target. Their file is relative to the
// eval file, and they are of its suite unless the target names another one.
func newReplay(evalFile string, t agentv.Target) (func() (run.Target, error), error) {
	s := targetSettings(t.Settings)
	fixtures, transcripts := s.text("fixtures"), s.text("transcripts")
	r := resultstore.Replay{
		Path: cmp.Or(fixtures, transcripts), SourceTarget: s.text("source_target"),
		Suite: s.text("suite"), EvalPath: s.text("eval_path"), Variant: s.text("variant"),
	}
	switch {
	case len(t.Missing) > 0:
		return nil, missingVariablesError(t)
	case s.has("execution_traces"):
		return nil, errors.New("its `execution_traces` are not supported; write `fixtures` or `transcripts`")
	case (fixtures == "") == (transcripts == ""):
		return nil, errors.New("it needs either `fixtures` or `transcripts`")
	case r.SourceTarget == "":
		return nil, errors.New("it needs the `source_target` whose answers it gives")
	case !filepath.IsAbs(r.Path):
		r.Path = filepath.Join(filepath.Dir(evalFile), r.Path)
	}
	return func() (run.Target, error) {
		if fixtures == "" {
			return r.OpenTranscripts()
		}
		body, err := disk.ReadFile(evalFile)
		if err != nil {
			return nil, err
		}
		r.Suite = cmp.Or(r.Suite, analysis.Of(host.NewInput(evalFile, body)).Suite().Name)
		if r.EvalFile, err = filepath.Abs(evalFile); err != nil {
			return nil, err
		}
		return r.OpenFixtures()
	}, nil
}
