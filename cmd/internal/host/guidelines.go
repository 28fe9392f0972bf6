package host

import (
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// guidelineMatcher returns whether a file is one of the guidelines that the nearest usable
// .agentv/config.yaml names, by its path from the repository's root; nil if there are none.
func guidelineMatcher(evalFile string) func(path string) bool {
	var matchers []*ecmascript.Regexp
	for _, glob := range guidelinePatterns(evalFile) {
		if re, err := ecmascript.Compile(globExpression(glob), ""); err == nil {
			matchers = append(matchers, re)
		}
	}
	if matchers == nil {
		return nil
	}
	root := disk.Root(evalFile)
	return func(path string) bool {
		relative, err := filepath.Rel(root, path)
		for _, re := range matchers {
			if matched, tooComplex := re.MatchString(filepath.ToSlash(relative)); err == nil && matched && tooComplex == nil {
				return true
			}
		}
		return false
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

// globExpression returns the regular expression for a glob pattern of micromatch: `*` and `?` stay
// in a folder, `**` is any number of folders, and neither matches a dot at the start of a name.
func globExpression(glob string) string {
	const name = `(?!\.)[^/]+`
	var out strings.Builder
	out.WriteString("^")
	inBraces := 0
	for i := 0; i < len(glob); i++ {
		atStart := i == 0 || glob[i-1] == '/'
		switch rest := glob[i:]; {
		case atStart && strings.HasPrefix(rest, "**/"):
			out.WriteString("(?:" + name + "/)*")
			i += 2
		case atStart && rest == "**":
			out.WriteString(name + "(?:/" + name + ")*")
			i++
		case rest[0] == '*' || rest[0] == '?':
			if atStart {
				out.WriteString(`(?!\.)`)
			}
			out.WriteString("[^/]")
			if rest[0] == '*' {
				out.WriteString("*")
			}
		case rest[0] == '{':
			inBraces++
			out.WriteString("(?:")
		case rest[0] == '}' && inBraces > 0:
			inBraces--
			out.WriteString(")")
		case rest[0] == ',' && inBraces > 0:
			out.WriteString("|")
		case rest[0] == '[' || rest[0] == ']':
			out.WriteByte(rest[0])
		case strings.IndexByte(`\.+^$()|{}`, rest[0]) >= 0:
			out.WriteString(`\` + rest[:1])
		default:
			out.WriteByte(rest[0])
		}
	}
	return out.String() + "$"
}
