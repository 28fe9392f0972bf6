package adk

import (
	"slices"
	"strings"
)

// JudgeNames returns the judges that the criteria name, as PROVIDER:MODEL where ADK's name of the
// model says who provides it.
func (e Evaluation) JudgeNames() (names []string) {
	for _, c := range e.Criteria {
		if c.Judge.Model == "" || c.JudgeCalls() == "" {
			continue
		}
		if name := judgeName(c.Judge.Model); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// judgeName names a model as ADK does: a model of Google or Anthropic by its name, and all others
// as PROVIDER/MODEL.
func judgeName(model string) string {
	provider, name, cut := strings.Cut(model, "/")
	switch {
	case strings.HasPrefix(model, "gemini-"):
		return "gemini:" + model
	case strings.HasPrefix(model, "claude-"):
		return "anthropic:" + model
	case cut && slices.Contains([]string{"openai", "anthropic", "gemini", "openrouter", "azure", "ollama"}, provider):
		return provider + ":" + name
	}
	return model
}
