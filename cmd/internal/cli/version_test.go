package cli

import (
	"runtime/debug"
	"testing"
)

func TestBuildVersion(t *testing.T) {
	clean := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "false"}}
	dirty := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		build, linked, module string
		settings              []debug.BuildSetting
		version, revision     string
	}{
		{"a release", "1.2.3", "v1.2.3", clean, "1.2.3", ", 0123456789ab"},
		{"a snapshot", "1.2.4-next", "v1.2.4-0.20261123092155-0123456789ab+dirty", dirty, "1.2.4-next", ", 0123456789ab, modified"},
		{"go install of a version", "0.1.0-dev", "v1.2.3", nil, "1.2.3", ""},
		{"go install of a branch", "0.1.0-dev", "v0.0.0-20261123092155-0123456789ab", nil, "0.0.0-20261123092155-0123456789ab", ""},
		{"a clone at a tag", "0.1.0-dev", "v1.2.3", clean, "1.2.3", ", 0123456789ab"},
		{"a changed clone at a tag", "0.1.0-dev", "v1.2.3+dirty", dirty, "1.2.3+dirty", ", 0123456789ab, modified"},
		{"a clone after a tag", "0.1.0-dev", "v1.2.4-0.20261123092155-0123456789ab", clean, "1.2.4-0.20261123092155-0123456789ab", ", 0123456789ab"},
		{"a clone without tags", "0.1.0-dev", "v0.0.0-20261123092155-0123456789ab+dirty", dirty, "0.1.0-dev", ", 0123456789ab, modified"},
		{"source without a repository", "0.1.0-dev", "(devel)", nil, "0.1.0-dev", ""},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.settings}
		if got := buildVersion(c.linked, info); got != c.version {
			t.Errorf("%s: version %s, want %s", c.build, got, c.version)
		}
		if got := revision(info); got != c.revision {
			t.Errorf("%s: revision %q, want %q", c.build, got, c.revision)
		}
	}
	if got := buildVersion("0.1.0-dev", nil); got != "0.1.0-dev" {
		t.Errorf("without build information: %s", got)
	}
}
