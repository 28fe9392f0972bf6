package targets

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
)

// FillEnvironment fills the variables of the environment or of a .env file into a suite. Problems lists
// variables that are left empty: those that are not set, and those whose name is that of a secret, which
// a file must not send to a target or a judge.
func FillEnvironment(evalFile string, suite *rubric.Suite) (problems []string) {
	f := &environmentFiller{evalFile: evalFile}
	for _, c := range suite.Cases {
		for _, name := range v4.FillEnvironment(suite, c, f.lookup) {
			f.addProblem("the variable `%s` is not set", name)
		}
	}
	return f.problems
}

type environmentFiller struct {
	evalFile string
	env      *EnvFiles // nil until a text names a variable
	problems []string
}

func (f *environmentFiller) lookup(name string) (v agentv.Variable, known bool) {
	if f.env == nil {
		env := ReadEnvFiles(f.evalFile)
		f.env = &env
	}
	if v, known = f.env.Lookup(name); known && agentv.IsSecretName(name) {
		f.addProblem("the variable `%s` is left empty, because its name is that of a secret", name)
		v.Value = ""
	}
	return v, known
}

func (f *environmentFiller) addProblem(format, name string) {
	if problem := fmt.Sprintf(format, name); !slices.Contains(f.problems, problem) {
		f.problems = append(f.problems, problem)
	}
}
