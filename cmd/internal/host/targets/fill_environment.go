package targets

import (
	"fmt"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
)

// FillEnvironment fills the variables of the environment or of a .env file into a suite. Problems lists
// variables that are left empty: those that are not set, and those whose name is that of a secret, which
// a file must not send to a target or a judge.
func FillEnvironment(evalFile string, suite *rubric.Suite) (problems []string) {
	add := func(format, name string) {
		if problem := fmt.Sprintf(format, name); !slices.Contains(problems, problem) {
			problems = append(problems, problem)
		}
	}
	env := sync.OnceValue(func() EnvFiles { return ReadEnvFiles(evalFile) }) // once a text names a variable
	lookup := func(name string) (v agentv.Variable, known bool) {
		if v, known = env().Lookup(name); known && agentv.IsSecretName(name) {
			add("the variable `%s` is left empty, because its name is that of a secret", name)
			v.Value = ""
		}
		return v, known
	}
	for _, c := range suite.Cases {
		for _, name := range v4.FillEnvironment(suite, c, lookup) {
			add("the variable `%s` is not set", name)
		}
	}
	return problems
}
