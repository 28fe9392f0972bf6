package process

import (
	"os"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// IsKey reports whether a variable holds a key. A short password without digits does not count:
// redacting a common word would garble answers.
func IsKey(name, value string) bool {
	return agentv.IsSecretName(name) && (strings.ContainsAny(value, "0123456789") || len(value) >= 16)
}

// NewRedactor redacts the keys of the process's environment, and others, in a command or its
// output. A program may print the keys that it receives.
func NewRedactor(others []string) *strings.Replacer {
	keys := slices.Clip(others)
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); IsKey(name, value) {
			keys = append(keys, value)
		}
	}
	return provider.NewRedactor(keys)
}
