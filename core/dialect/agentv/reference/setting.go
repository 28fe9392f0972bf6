package reference

import (
	"slices"
	"strings"
)

// The settings that the validator knows. They are fewer than the field table
// has, since targets are read more freely than they are validated, and a few
// are spelled otherwise. Where versions of the time differ, what one of them
// knows is known.
const (
	common = "name provider judge_target workers $schema targets provider_batching providerBatching "
	retry  = "max_retries maxRetries retry_initial_delay_ms retryInitialDelayMs retry_max_delay_ms retryMaxDelayMs " +
		"retry_backoff_factor retryBackoffFactor retry_status_codes retryStatusCodes "
	model = common + retry + "api_key apiKey model deployment temperature max_output_tokens maxTokens "
	agent = common + "executable command binary args arguments model cwd timeout_seconds timeoutSeconds " +
		"log_dir logDir log_directory logDirectory log_format logFormat log_output_format logOutputFormat " +
		"system_prompt systemPrompt workspace_template workspaceTemplate "
	azure  = model + "endpoint resource resourceName deploymentName version api_version"
	gemini = model + "variant"
	editor = common + "workspace_template workspaceTemplate vscode_cmd command executable wait dry_run dryRun " +
		"subagent_root subagentRoot timeout_seconds timeoutSeconds"
)

// providers are those that the validator knows.
var providers = strings.Fields("azure azure-openai anthropic gemini google google-gemini openai bedrock vertex codex codex-cli copilot-cli claude-code " +
	"pi pi-coding-agent pi-agent-sdk cli vscode vscode-insiders mock")

// settings by provider. Of a provider that is not here, a command's among
// them, any setting passes.
var settings = map[string][]string{
	"azure":           strings.Fields(azure),
	"azure-openai":    strings.Fields(azure),
	"anthropic":       strings.Fields(model + "variant thinking_budget thinkingBudget"),
	"gemini":          strings.Fields(gemini),
	"google":          strings.Fields(gemini),
	"google-gemini":   strings.Fields(gemini),
	"codex":           strings.Fields(agent),
	"codex-cli":       strings.Fields(agent),
	"copilot-cli":     strings.Fields(agent),
	"claude-code":     strings.Fields(agent + "max_turns maxTurns max_budget_usd maxBudgetUsd"),
	"vscode":          strings.Fields(editor),
	"vscode-insiders": strings.Fields(editor),
	"mock":            strings.Fields(common + "response delayMs delayMinMs delayMaxMs trace"),
}

// knows reports whether a target of provider, in lower case, may have key.
func knows(provider, key string) bool {
	known, checked := settings[provider]
	return !checked || slices.Contains(known, key)
}
