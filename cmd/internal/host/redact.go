package host

import (
	"os"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// RedactCommand is what results call a command that a person has written for an eval file: a
// shell may have filled in the keys that it is handed.
func RedactCommand(command, evalFile string) string {
	return newRedactor(EnvFileKeys(evalFile)).Replace(command)
}

// isKey reports whether a variable holds a key. A password that is a word is none: it
// would be hidden in answers that are about something else.
func isKey(name, value string) bool {
	return agentv.IsSecretName(name) && (strings.ContainsAny(value, "0123456789") || len(value) >= 16)
}

// newRedactor hides the keys that the environment of the process holds, and others, in what
// comes from a command, or is one: who was handed them may print them.
func newRedactor(others []string) *strings.Replacer {
	keys := slices.Clip(others)
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); isKey(name, value) {
			keys = append(keys, value)
		}
	}
	return provider.NewRedactor(keys)
}

// EnvFileKeys are those that the .env files beside and above an eval file set.
func EnvFileKeys(evalFile string) []string { return ReadEnvFiles(evalFile).secretValues() }
