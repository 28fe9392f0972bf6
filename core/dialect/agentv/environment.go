package agentv

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Variable is an environment variable with its value and origin.
type Variable struct {
	Name   string
	Value  string
	Source string // for display: the environment, or a file's path
}

// variablePattern matches `${{ NAME }}` and, of the newest version, `{{ env.NAME }}` with an optional
// default.
var variablePattern = pattern.New(`\$\{\{(.*?)\}\}|\{\{-?\s*env\.(\w+)\s*(\|\s*default\(\s*(?:"([^"]*)"|'([^']*)')\s*(?:,\s*true\s*)?\)\s*)?-?\}\}`)

// ExpandVariables replaces each `${{ NAME }}` and `{{ env.NAME }}` in text, in V4's eval files only the first.
// Names that lookup does not know become their default, or else empty and are returned in missing.
func ExpandVariables(v Version, text string, lookup func(string) (Variable, bool)) (expanded string, missing []string) {
	return variablePattern().ReplaceAllStringFunc(text, func(written string) string {
		if v == V4 && written[0] == '{' {
			return written
		}
		at := variablePattern().FindStringSubmatch(written)
		name := strings.TrimSpace(at[1] + at[2])
		v, known := lookup(name)
		switch {
		case known:
			return v.Value
		case at[3] == "":
			missing = append(missing, name)
		}
		return at[4] + at[5]
	}), missing
}

// VariableOrder returns the names of a test's variables in the order of the file, defaults first.
func VariableOrder(defaults, own *yaml.Node) (names []string) {
	for _, p := range slices.Concat(defaults.Entries(), own.Entries()) {
		names = generic.AppendNew(names, p.Key.Value)
	}
	return names
}

// Combine returns each of the given variables with each value of one more. The values vary fastest.
func Combine(all []map[string]any, name string, values []any) (combined []map[string]any) {
	for _, vars := range all {
		for _, value := range values {
			own := maps.Clone(vars)
			own[name] = value
			combined = append(combined, own)
		}
	}
	return combined
}

// MapTexts returns a value with each text that has a placeholder replaced.
func MapTexts(value any, replace func(string) any) any {
	return javascript.Map(value, func(leaf any) any {
		if text, isText := leaf.(string); isText && strings.Contains(text, "{{") {
			return replace(text)
		}
		return leaf
	})
}

// soleVariable returns the variable's name if text is a single variable without a default and nothing
// else.
func soleVariable(text string) (name string, ok bool) {
	at := variablePattern().FindStringSubmatch(text)
	if at == nil || at[0] != strings.TrimSpace(text) || at[3] != "" {
		return "", false
	}
	return strings.TrimSpace(at[1] + at[2]), true
}

// SplitURL returns the scheme of an address and its host without user info and port, both in
// lower case. Both are "" if the address is not a URL.
func SplitURL(address string) (scheme, host string) {
	scheme, rest, found := strings.Cut(strings.TrimSpace(address), "://")
	if !found {
		return "", ""
	}
	if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if end := strings.LastIndexByte(rest, ':'); end >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:end]
	}
	return strings.ToLower(scheme), strings.ToLower(strings.TrimSuffix(rest, "."))
}

var localHostPattern = pattern.New(`^(?:localhost|[a-z0-9-]+|.*\.(?:localhost|local|internal|lan|home\.arpa)|127(?:\.\d+){3}|0\.0\.0\.0|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[(?:::1?|f[cd].*|fe80:.*)\])$`)

// IsLocalHost reports whether a host is this machine or part of a private network, judged by
// its address or by a name that no public host has.
func IsLocalHost(host string) bool {
	return localHostPattern().MatchString(host) && strings.Trim(host, "0123456789") != "" // a number alone is a public address
}

// secretNamePattern matches names of variables that hold a secret. The match is at the end,
// because a name such as SSL_KEY_FILE holds a path.
var secretNamePattern = pattern.New(`(?i)(?:key|token|secret|password|passwd|credentials?)(?:_?[0-9]+)?$`)

// IsSecretName reports whether the name of a variable suggests that it holds a secret.
func IsSecretName(name string) bool { return secretNamePattern().MatchString(name) }
