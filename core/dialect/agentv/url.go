package agentv

import (
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

// SplitURL gives the scheme of an address, in lower case, and its host without the
// port and without what a person logs in by. Both are "" where it is no URL.
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

// IsLocalHost reports whether a host is this machine or one of a private network: by its
// address, or by a name that no public host has.
func IsLocalHost(host string) bool {
	return localHostPattern().MatchString(host) && strings.Trim(host, "0123456789") != "" // a number alone is a public address
}

// secretNamePattern matches what variables that hold a secret are called. One whose name only
// begins so, as SSL_KEY_FILE does, holds something else.
var secretNamePattern = pattern.New(`(?i)(?:key|token|secret|password|passwd|credentials?)(?:_?[0-9]+)?$`)

// IsSecretName reports whether a variable holds a secret, by its name.
func IsSecretName(name string) bool { return secretNamePattern().MatchString(name) }
