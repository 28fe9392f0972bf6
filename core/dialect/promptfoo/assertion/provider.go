package assertion

import "strings"

// ProviderName returns the name by which a run finds a provider of promptfoo as a target or a judge: of
// a model, of a command, or of the prompt itself. Other names stay as they are.
func ProviderName(id string) string {
	kind, rest, _ := strings.Cut(id, ":")
	// The part between provider and model says how to ask.
	how, model, hasHow := strings.Cut(rest, ":")
	switch {
	case id == "echo":
		return "echo:"
	case kind == "exec":
		return "cli:" + strings.TrimSpace(rest) + " {PROMPT}"
	case kind == "openai" && hasHow && how == "responses":
		return "openai-responses:" + model
	case (kind == "openai" || kind == "azure" || kind == "azureopenai") && hasHow && (how == "chat" || how == "completion"):
		return strings.Replace(kind, "azureopenai", "azure", 1) + ":" + model
	case kind == "anthropic" && hasHow && (how == "messages" || how == "completion"):
		return "anthropic:" + model
	case kind == "google":
		return "gemini:" + rest
	case kind == "ollama" && hasHow && (how == "chat" || how == "completion"):
		return "ollama:" + model
	}
	return id
}
