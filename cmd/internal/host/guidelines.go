package host

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// guidelineMatcher returns whether a file is one of the guidelines that the nearest usable
// .agentv/config.yaml names, by its path from the repository's root; nil if there are none.
func guidelineMatcher(evalFile string) func(path string) bool {
	patterns := guidelinePatterns(evalFile)
	if len(patterns) == 0 {
		return nil
	}
	root := disk.Root(evalFile)
	return func(path string) bool {
		relative, err := filepath.Rel(root, path)
		return err == nil && slices.ContainsFunc(patterns, func(glob string) bool { return matchesGlob(glob, filepath.ToSlash(relative)) })
	}
}

// guidelinePatterns returns the patterns of the nearest .agentv/config.yaml. As in the reference, one
// whose patterns are not a list of texts is passed over.
func guidelinePatterns(evalFile string) []string {
search:
	for _, dir := range disk.SearchFolders(evalFile) {
		path := filepath.Join(dir, ".agentv", "config.yaml")
		body, err := disk.ReadWithin(disk.Root(evalFile), path)
		if err != nil {
			continue
		}
		root := yaml.Parse(text.New(path, body)).Root()
		list := root.Get("guideline_patterns").Follow()
		if !root.IsMap() || list != nil && !list.IsSeq() {
			continue
		}
		if list == nil {
			return nil
		}
		var patterns []string
		for _, item := range list.Items {
			pattern, ok := item.Str()
			if !ok {
				continue search
			}
			patterns = append(patterns, pattern)
		}
		return patterns
	}
	return nil
}

// matchesGlob reports whether a glob pattern of micromatch matches a path: only a dot matches a dot at the
// start of a name.
func matchesGlob(glob, path string) bool {
	names := strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune("/{},", r) })
	for name := range strings.SplitSeq(path, "/") {
		named := func(part string) bool { return part[0] == '.' && doublestar.MatchUnvalidated(part, name) }
		if strings.HasPrefix(name, ".") && !slices.ContainsFunc(names, named) {
			return false
		}
	}
	return doublestar.MatchUnvalidated(glob, path)
}
