package targets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
)

// FillEnvironment replaces `${{ NAME }}` and `{{ env.NAME }}` in the texts of a suite's cases and graders
// by variables of the environment or of a .env file, as later versions of AgentV do. Problems lists
// variables that are left empty: those that are not set, and those whose name is that of a secret, which
// a file must not send to a target or a judge.
func FillEnvironment(evalFile string, suite *rubric.Suite) (problems []string) {
	if suite.Dialect != agentv.Name || suite.Version == "" {
		return nil
	}
	f := &environmentFiller{evalFile: evalFile}
	fill := v4.Fill(f.fill)
	for _, c := range suite.Cases {
		for _, text := range []*string{&c.Question, &c.ExpectedOutcome, &c.ReferenceAnswer} {
			fill.String(text)
		}
		all := [][]rubric.Message{c.Input, c.Expected}
		if c.Conversation != nil {
			for _, turn := range c.Conversation.Turns {
				all = append(all, turn.Input, turn.Expected)
			}
		}
		for _, messages := range all {
			for i := range messages {
				messages[i].Content = f.fill(messages[i].Content)
			}
		}
		c.Graders = fill.Graders(c.Graders)
	}
	return f.problems
}

type environmentFiller struct {
	evalFile string
	env      *EnvFiles // nil until a text names a variable
	problems []string
}

// fill returns a value with the variables in its strings replaced.
func (f *environmentFiller) fill(value any) any {
	switch v := value.(type) {
	case string:
		if !strings.Contains(v, "{{") {
			return v
		}
		expanded, missing := agentv.ExpandVariables(v, f.lookup)
		for _, name := range missing {
			f.addProblem("the variable `%s` is not set", name)
		}
		return expanded
	case []any:
		filled := make([]any, len(v))
		for i := range v {
			filled[i] = f.fill(v[i])
		}
		return filled
	case map[string]any:
		filled := make(map[string]any, len(v))
		for key := range v {
			filled[key] = f.fill(v[key])
		}
		return filled
	}
	return value
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
