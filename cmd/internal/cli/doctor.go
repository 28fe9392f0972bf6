package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/wasm/api"
)

var doctorCommand = command{
	name:    "doctor",
	args:    "[FOLDER]",
	summary: "Show what a run in a folder finds: settings, models, cache",
	example: "rubric doctor\nrubric doctor evals",
	setup:   withoutFlags((*session).doctor),
}

func (s *session) doctor(args []string) error {
	folder := append(args, ".")[0]
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: is not a folder", folder)
	}
	anyFile, status := filepath.Join(folder, "any.eval.yaml"), exitStatus(0) // only the folder matters
	var rows [][]string
	add := func(what, state string, err error) {
		if err != nil {
			state, status = "error: "+err.Error(), exitFindings
		}
		rows = append(rows, []string{what, report.Wrap(report.Printable(state), len("eval files")+2, len("eval files")+2, s.width(s.stdout))})
	}
	add("version", api.Version, nil)
	found, _ := disk.FindEvalFiles([]string{folder})
	count := 0
	for _, file := range found {
		if _, isEval := s.isRunnable(file); isEval {
			count++
		}
	}
	add("eval files", fmt.Sprint(count), nil)
	settings := disk.FindInFolders(anyFile, host.SettingsFile)
	named, err := new(host.Settings).Run(anyFile)
	add("settings", cmp.Or(settings, "none"), err)
	if len(named.Judges) > 0 {
		add("judge", strings.Join(named.Judges, ", "), nil)
	}
	if targetsFile := disk.FindTargetsFile(anyFile); targetsFile == "" {
		add("targets", "none", nil)
	} else {
		listed, err := targets.ListTargets(anyFile, "")
		add("targets", fmt.Sprintf("%s, with %s", targetsFile, diag.CountNoun(len(listed), "target")), err)
		for _, t := range listed {
			if t.Problem != "" {
				add("target", "", fmt.Errorf("%s: %s", t.Name, t.Problem))
			}
		}
	}
	ports, err := targets.NewPorts(run.Settings{}, nil, anyFile)
	if err != nil {
		add("prices", "", err)
	}
	for _, model := range ports.AvailableModels(s.ctx) {
		add("models", model, nil)
	}
	add("prices", fmt.Sprintf("built in, as of %s (%s)", price.BuiltInDate(), price.Source), nil)
	if store, err := judgecache.Default(); err == nil {
		add("cache", store.Path, nil)
	} else {
		add("cache", "", err)
	}
	if _, err := page.EmbeddedSite(); err != nil {
		add("playground", "not in this program", nil)
	}
	return cmp.Or(s.printText(report.FormatTable(rows)), status.err())
}
