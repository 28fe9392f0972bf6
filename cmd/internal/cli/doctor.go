package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
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
		return fmt.Errorf("%s is not a folder", folder)
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
	named, err := host.RunSettings(anyFile)
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
	ports, _ := targets.NewPorts(run.Settings{}, nil, anyFile) // the settings have the same error
	for _, model := range ports.AvailableModels(s.ctx) {
		add("models", model, nil)
	}
	add("prices", fmt.Sprintf("built in, as of %s (%s)", price.BuiltInDate(), price.Source), nil)
	store, err := judgecache.Default()
	add("cache", store.Path, err)
	if _, err := page.EmbeddedSite(); err != nil {
		add("playground", "not in this program", nil)
	}
	return cmp.Or(s.printText(report.FormatTable(rows)), status.err())
}

var versionCommand = command{
	name:    "version",
	summary: "Print the version and the build",
	example: "rubric version",
	setup:   withoutFlags(func(s *session, _ []string) error { return s.printVersion() }),
}

func (s *session) printVersion() error {
	info, _ := debug.ReadBuildInfo()
	return s.printText(fmt.Sprintf("rubric %s (evaluator API %d, %s, %s/%s%s)\n", api.Version, api.ABI,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, revision(info)))
}

func init() {
	info, _ := debug.ReadBuildInfo()
	api.Version = buildVersion(api.Version, info)
}

// buildVersion returns the version of this build. linked is what the linker has set, as in a
// release, or ends in -dev. Then the version is that of the module, which Go records for
// `go install MODULE@VERSION`, and for a build in a clone with a tag. info is nil if Go
// recorded nothing.
func buildVersion(linked string, info *debug.BuildInfo) string {
	if !strings.HasSuffix(linked, "-dev") || info == nil {
		return linked
	}
	version, ok := strings.CutPrefix(info.Main.Version, "v")
	if !ok || strings.HasPrefix(version, "0.0.0-") && revision(info) != "" { // (devel), or a clone without a tag
		return linked
	}
	return version
}

// revision describes the commit of the build, or returns "" if Go did not record it.
func revision(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	commit, dirty := "", ""
	for _, set := range info.Settings {
		switch {
		case set.Key == "vcs.revision":
			commit = set.Value[:min(12, len(set.Value))]
		case set.Key == "vcs.modified" && set.Value == "true":
			dirty = ", modified"
		}
	}
	if commit == "" {
		return ""
	}
	return ", " + commit + dirty
}
