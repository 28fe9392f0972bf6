package metric

import (
	"slices"
	"strings"
)

// JudgeNames returns the judges that criteria name, each once; see [JudgeOptions.Name]. It ignores
// criteria that ask no judge. The name of a criterion that names no judge is "".
func JudgeNames(criteria []Criterion) (names []string) {
	for _, c := range criteria {
		if name := c.Judge.Name(); c.JudgeCalls() != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Name returns the judge as PROVIDER:MODEL where ADK's name of the model says who provides it: a
// model of Google or Anthropic by its name, and all others as PROVIDER/MODEL.
func (o JudgeOptions) Name() string {
	provider, name, cut := strings.Cut(o.Model, "/")
	switch {
	case strings.HasPrefix(o.Model, "gemini-"):
		return "gemini:" + o.Model
	case strings.HasPrefix(o.Model, "claude-"):
		return "anthropic:" + o.Model
	case cut && slices.Contains([]string{"openai", "anthropic", "gemini", "openrouter", "azure", "ollama"}, provider):
		return provider + ":" + name
	}
	return o.Model
}
