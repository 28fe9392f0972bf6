package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/rubric-ls/rubric/wasm/api"
)

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
