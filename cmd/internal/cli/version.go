package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/wasm/api"
)

var versionCommand = command{
	name:    "version",
	summary: "print what was built from what",
	example: "rubric version",
	setup: func(*pflag.FlagSet) func(*session, []string) int {
		return func(s *session, args []string) int {
			if len(args) > 0 {
				return s.commandError("takes no arguments, and was given `%s`", args[0])
			}
			return s.printText(fmt.Sprintf("rubric %s (evaluator API %d, %s, %s/%s%s)\n", api.Version, api.ABI,
				runtime.Version(), runtime.GOOS, runtime.GOARCH, revision()))
		}
	},
}

// revision is the commit the binary was built from, where Go recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
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
