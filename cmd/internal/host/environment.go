package host

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// theEnvironment is what the variables of the process are from, in words.
const theEnvironment = "the environment"

// Lookup gives an environment variable: of the process, else of
// the nearest .env that sets it among the folders of an eval file. It reads
// them once; one that is not there or not text sets nothing.
func Lookup(evalFile string) func(string) (agentv.Variable, bool) {
	files := dotenv(evalFile)
	return func(name string) (agentv.Variable, bool) {
		if value, ok := os.LookupEnv(name); ok {
			return agentv.Variable{Value: value, From: theEnvironment}, true
		}
		value, ok := files[name]
		return value, ok
	}
}

// dotenv are the variables that .env files set, each by the nearest.
func dotenv(evalFile string) map[string]agentv.Variable {
	files := map[string]agentv.Variable{}
	for _, dir := range slices.Backward(Folders(evalFile)) {
		path := filepath.Join(dir, ".env")
		text, err := Read(path)
		if err != nil {
			continue
		}
		for name, value := range parseEnv(text) {
			files[name] = agentv.Variable{Value: value, From: path}
		}
	}
	return files
}

// handed are the variables that a command of targets.yaml gets beside the environment,
// as NAME=VALUE: those of the .env files that the environment does not set, as in the
// reference implementation. Whoever wrote them beside that command could have written
// them into it.
func handed(evalFile string) (env []string) {
	for name, v := range dotenv(evalFile) {
		if _, ok := os.LookupEnv(name); !ok {
			env = append(env, name+"="+v.Value)
		}
	}
	slices.Sort(env)
	return env
}
