package convert

import (
	"path"
	"strings"
)

// Stem is a file's name without its folder and without what says that it is an
// eval file: what the files that it becomes are called.
func Stem(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	for _, ending := range []string{".evalset.json", ".test.json", ".eval.yaml", ".eval.yml"} {
		if short, cut := strings.CutSuffix(name, ending); cut && short != "" {
			return short
		}
	}
	return strings.TrimSuffix(name, path.Ext(name))
}
