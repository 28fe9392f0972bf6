package head

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readDefaultTestFile replaces a `default_test` that names a file by the mapping in it. All of that has the
// span of the name.
func readDefaultTestFile(l *v4.Loader) {
	at := l.Root.Get("default_test")
	name, isFile := at.Str()
	if !isFile {
		return
	}
	name = v4.TrimFileScheme(name)
	if l.ReadFile == nil || strings.HasPrefix(name, "ref://") { // a name of the configuration
		l.AddLoss(v4.DefaultTestInOtherFile, rubric.Silent, at, name)
		return
	}
	body, found := l.Cache.ReadText(name, l.ReadFile)
	defaults := yaml.Parse(text.New(name, body))
	switch {
	case !found:
		l.AddLoss(v4.FileMissing, rubric.Refuses, at, name).Fatal = true
	case !defaults.Root().IsMap() || defaults.HasUnboundedAliases():
		l.AddLoss(v4.DefaultTestInvalid, rubric.Refuses, at, name).Fatal = true
	default:
		defaults.MapSpans(func(text.Span) text.Span { return at.Span })
		root := *l.Root.Follow()
		root.Pairs = append(slices.Clip(root.Pairs), &yaml.Pair{Key: at.Key.Key, Value: defaults.Root()})
		l.Root = &root
	}
}
