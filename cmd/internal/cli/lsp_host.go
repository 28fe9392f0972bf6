package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
)

// answerTimeout is the most time for one answer of a command that an editor's
// settings or a file name.
const answerTimeout = 2 * time.Minute

// lspHost runs and reaches what is asked for in an editor, as `rubric run`
// does with the same words.
func (s *session) lspHost() lsp.Host {
	ports := &host.Ports{Key: lsp.ClientKey, OnNote: s.printNote}
	if store, err := judgecache.Default(); err == nil {
		ports.Cache = store
		var faults sync.Map
		ports.OnJudgement = func(_ bool, err error) {
			if err == nil {
				return
			}
			if _, noted := faults.LoadOrStore(err.Error(), true); !noted {
				s.printNote(err.Error())
			}
		}
	}
	return lsp.Host{
		OpenJudge: func(ctx context.Context, evalFile, name string) (judge.Judge, func(), error) {
			opened, _, err := ports.OpenJudge(ctx, name, evalFile, "")
			if err != nil {
				return nil, nil, fmt.Errorf("rubric.judge: %w", err)
			}
			return opened, func() {}, nil
		},
		ListJudges: host.AvailableProviders,
		OpenTarget: func(ctx context.Context, evalFile, name string) (run.Target, error) {
			opened, err := (&backends{Ports: ports, options: &runOptions{target: name, timeout: answerTimeout}}).openTarget(ctx, loadedSuite{path: evalFile})
			if err != nil {
				return nil, fmt.Errorf("rubric.target: %w", err)
			}
			return opened.target, nil
		},
		OpenModerator: func(ctx context.Context, name string) (metric.Moderate, error) {
			moderate, err := ports.OpenModerator(ctx, name)
			if err != nil {
				return nil, fmt.Errorf("rubric.moderation: %w", err)
			}
			return moderate, nil
		},
		Exec: func(evalFile string) grade.Exec { return host.ProgramExec(evalFile, answerTimeout) },
		Sandbox: func(evalFile string) (grade.Exec, func()) {
			box := new(runOptions).newSandbox()
			return host.SandboxExec(evalFile, box), func() { box.Close() }
		},
		Schema:      host.ValidateSchema,
		LoadFiles:   host.FillReferences,
		WriteReport: writeHTMLReport,
		Clock:       time.Now,
	}
}

// writeHTMLReport writes records as `rubric run --format html` does.
func writeHTMLReport(w io.Writer, suite, path string, records []run.Record) error {
	r := report.Report{Suites: []report.Suite{{Name: suite, Path: path, Records: slices.Values(records)}}}
	if slices.ContainsFunc(records, func(rec run.Record) bool { return rec.Judge == offline.Name }) {
		r.Notice = offline.Notice
	}
	return r.HTML(w)
}
