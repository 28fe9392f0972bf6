package conformance

import (
	"slices"
	"strings"
)

// The settings that the validator knows. They are fewer than the field table
// has, since targets are read more freely than they are validated, and a few
// are spelled otherwise. Where versions of the time differ, what one of them
// knows is known.
const (
	commonSettings = "name provider judge_target workers $schema targets provider_batching providerBatching "
	retrySettings  = "max_retries maxRetries retry_initial_delay_ms retryInitialDelayMs retry_max_delay_ms retryMaxDelayMs " +
		"retry_backoff_factor retryBackoffFactor retry_status_codes retryStatusCodes "
	modelSettings = commonSettings + retrySettings + "api_key apiKey model deployment temperature max_output_tokens maxTokens "
	agentSettings = commonSettings + "executable command binary args arguments model cwd timeout_seconds timeoutSeconds " +
		"log_dir logDir log_directory logDirectory log_format logFormat log_output_format logOutputFormat " +
		"system_prompt systemPrompt workspace_template workspaceTemplate "
	azureSettings  = modelSettings + "endpoint resource resourceName deploymentName version api_version"
	geminiSettings = modelSettings + "variant"
	editorSettings = commonSettings + "workspace_template workspaceTemplate vscode_cmd command executable wait dry_run dryRun " +
		"subagent_root subagentRoot timeout_seconds timeoutSeconds"
)

// providers are those that the validator knows.
var providers = strings.Fields("azure azure-openai anthropic gemini google google-gemini openai bedrock vertex codex codex-cli copilot-cli claude-code " +
	"pi pi-coding-agent pi-agent-sdk cli vscode vscode-insiders mock")

// settings by provider. Of a provider that is not here, a command's among
// them, any setting passes.
var providerSettings = map[string][]string{
	"azure":           strings.Fields(azureSettings),
	"azure-openai":    strings.Fields(azureSettings),
	"anthropic":       strings.Fields(modelSettings + "variant thinking_budget thinkingBudget"),
	"gemini":          strings.Fields(geminiSettings),
	"google":          strings.Fields(geminiSettings),
	"google-gemini":   strings.Fields(geminiSettings),
	"codex":           strings.Fields(agentSettings),
	"codex-cli":       strings.Fields(agentSettings),
	"copilot-cli":     strings.Fields(agentSettings),
	"claude-code":     strings.Fields(agentSettings + "max_turns maxTurns max_budget_usd maxBudgetUsd"),
	"vscode":          strings.Fields(editorSettings),
	"vscode-insiders": strings.Fields(editorSettings),
	"mock":            strings.Fields(commonSettings + "response delayMs delayMinMs delayMaxMs trace"),
}

// knowsSetting reports whether a target of provider, in lower case, may have key.
func knowsSetting(provider, key string) bool {
	known, checked := providerSettings[provider]
	return !checked || slices.Contains(known, key)
}
