package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/schema"
)

// TargetsFile is the table of targets.yaml.
var TargetsFile = &schema.Type{
	Name: "targets-file",
	Doc:  "The systems under test, and the models that judge them.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		schemaKey("agentv-targets-v2.2"),
		{Key: "targets", Type: schema.ListOf(targetType), Required: true, OnInvalid: "refuses the file", Doc: "The targets."},
	},
}

// targetType is the table of a target; its `provider` selects the variant. Unknown providers
// are allowed.
var targetType = &schema.Type{
	Name:   "target",
	Doc:    "A system under test or a judge; its `provider` decides which settings it takes. `${{ NAME }}` in a text is the environment's value.",
	Kind:   schema.Map,
	Tag:    "provider",
	Fields: []*schema.Field{providerField},
	Choices: []*schema.Type{
		newProviderVariant([]string{"azure", "azure-openai"}, "A model on Azure OpenAI.", append(modelFields(),
			stringSetting("endpoint", "The resource's URL or name.", "resource", "resourceName"),
			&schema.Field{Key: "model", Aliases: []string{"deployment", "deploymentName"}, WinningName: "deployment", Type: schema.String, Doc: "The deployment."},
			stringSetting("version", "The API's version.", "api_version", "apiVersion"))...),
		newProviderVariant([]string{"anthropic"}, "A model of Anthropic.", append(modelFields(),
			endpointSetting, modelSetting, thinkingBudgetSetting)...),
		newProviderVariant([]string{"gemini", "google", "google-gemini"}, "A model of Google.", append(modelFields(), endpointSetting, modelSetting, thinkingBudgetSetting)...),
		newProviderVariant([]string{"openai", "bedrock", "vertex"}, "A model by another provider.", append(modelFields(), endpointSetting, stringSetting("model", "The model."))...),
		newProviderVariant(rubricOnlyProviders(), "A model that only `rubric` asks.", append(modelFields(), endpointSetting, stringSetting("model", "The model."))...),
		newProviderVariant(agentProviders, "A coding agent on this machine.", agentFields()...),
		newProviderVariant([]string{"cli"}, "Any command.", commandFields()...),
		newProviderVariant(editorProviders, "An agent in Visual Studio Code.",
			stringSetting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
			stringSetting("vscode_cmd", "The command that opens the editor.", "vscodeCmd", "executable"),
			numberSetting("timeout_seconds", "The most seconds for an answer.", "timeoutSeconds"), boolSetting("wait", "Whether to wait for the agent."),
			boolSetting("dry_run", "Whether to ask nothing.", "dryRun"), stringSetting("subagent_root", "The folder of its agents.", "subagentRoot")),
		newProviderVariant([]string{"mock"}, "A canned answer, for trying things out.",
			stringSetting("response", "The answer."), numberSetting("delay_ms", "Milliseconds to wait.", "delayMs"),
			numberSetting("delay_min_ms", "The least milliseconds to wait.", "delayMinMs"),
			numberSetting("delay_max_ms", "The most milliseconds to wait.", "delayMaxMs"),
			&schema.Field{Key: "trace", Type: schema.AnyValue, Doc: "The trace that the answer comes with."}),
	},
}

var providerField = &schema.Field{
	Key: "provider", Required: true, OnInvalid: "refuses the target", Doc: "How the target is asked.",
	Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{
		{Text: "azure"}, {Text: "azure-openai"}, {Text: "anthropic"}, {Text: "gemini"}, {Text: "google"}, {Text: "google-gemini"},
		{Text: "openai"}, {Text: "bedrock"}, {Text: "vertex"}, {Text: "codex"}, {Text: "codex-cli"}, {Text: "copilot-cli"},
		{Text: "claude-code"}, {Text: "pi"}, {Text: "pi-coding-agent"}, {Text: "pi-agent-sdk"}, {Text: "cli"}, {Text: "vscode"},
		{Text: "vscode-insiders"}, {Text: "mock"}, {Text: "openai-responses"}, {Text: "openrouter"}, {Text: "vllm"}, {Text: "lmstudio"}, {Text: "ollama"},
	}},
}

var (
	agentProviders  = []string{"codex", "codex-cli", "copilot-cli", "claude-code", "pi", "pi-coding-agent", "pi-agent-sdk"}
	editorProviders = []string{"vscode", "vscode-insiders"}
)

// IsAgent reports whether a provider is a third-party program that AgentV starts with its own
// options.
func IsAgent(provider string) bool {
	return slices.Contains(agentProviders, provider) || slices.Contains(editorProviders, provider)
}

// rubricOnlyProviders returns the providers that `rubric` supports and AgentV does not.
func rubricOnlyProviders() []string {
	return []string{"openai-responses", "openrouter", "vllm", "lmstudio", "ollama"}
}

func newProviderVariant(names []string, doc string, settings ...*schema.Field) *schema.Type {
	fields := []*schema.Field{
		{Key: "name", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The target's name, by which eval files call it."},
		providerField,
		{Key: "judge_target", Aliases: []string{"judgeTarget"}, Type: schema.NonEmptyString, Default: "the target itself", Doc: "The target that judges this one's answers."},
		{Key: "workers", Type: schema.IntegerFrom(1), Doc: "Cases at a time."},
		{Key: "provider_batching", Aliases: []string{"providerBatching"}, Type: schema.Boolean, Default: "`false`", Doc: "Whether all cases are asked in one go."},
	}
	return &schema.Type{
		Name: "target-" + names[0], Doc: doc, Kind: schema.Map, TagValues: names, Fields: append(fields, settings...),
	}
}

func stringSetting(key, doc string, aliases ...string) *schema.Field {
	return &schema.Field{Key: key, Aliases: aliases, Type: schema.String, Doc: doc}
}

func numberSetting(key, doc string, aliases ...string) *schema.Field {
	return &schema.Field{Key: key, Aliases: aliases, Type: schema.UnionOf(schema.NonNegative, schema.String), Doc: doc}
}

// numberOrProviderDefault returns a number setting for which -1 means the provider's default.
func numberOrProviderDefault(key, doc string, aliases ...string) *schema.Field {
	least := -1.0
	f := numberSetting(key, doc+" -1 leaves it to the provider.", aliases...)
	f.Type = schema.UnionOf(&schema.Type{Kind: schema.Number, Min: &least}, schema.String)
	return f
}

func boolSetting(key, doc string, aliases ...string) *schema.Field {
	return &schema.Field{Key: key, Aliases: aliases, Type: schema.UnionOf(schema.Boolean, schema.String), Doc: doc}
}

var (
	endpointSetting       = stringSetting("endpoint", "The URL.")
	modelSetting          = stringSetting("model", "The model.", "deployment", "variant")
	thinkingBudgetSetting = numberOrProviderDefault("thinking_budget", "Tokens to think with.", "thinkingBudget")
)

// modelFields returns the settings of every model, including those that only `rubric` reads.
func modelFields() []*schema.Field {
	const own = " AgentV does not read it; `rubric` does."
	return append(retryFields(),
		stringSetting("api_key", "The key.", "apiKey"),
		stringSetting("base_url", "The URL below which the provider's interface is."+own, "baseUrl"),
		&schema.Field{Key: "headers", Type: schema.MapOf(schema.String), Doc: "HTTP headers of each request, besides the provider's own or in their place." + own},
		numberOrProviderDefault("seed", "Of the first sample; the others count on from it."+own),
		numberSetting("temperature", "How freely the model words its answers."),
		numberSetting("max_output_tokens", "The most tokens of an answer.", "maxOutputTokens", "maxTokens"),
		numberSetting("timeout_seconds", "The most seconds for an answer."+own, "timeoutSeconds"),
		numberSetting("requests_per_minute", "The most requests in a minute."+own, "requestsPerMinute"),
		numberSetting("tokens_per_minute", "The most tokens in a minute."+own, "tokensPerMinute"),
	)
}

func retryFields() []*schema.Field {
	defaults := func(f *schema.Field, value string) *schema.Field { f.Default = value; return f }
	return []*schema.Field{
		defaults(numberSetting("max_retries", "How often a failed request is repeated.", "maxRetries"), "3"),
		defaults(numberSetting("retry_initial_delay_ms", "Milliseconds before the first repeat.", "retryInitialDelayMs"), "1000"),
		defaults(numberSetting("retry_max_delay_ms", "The most milliseconds before a repeat.", "retryMaxDelayMs"), "60000"),
		defaults(numberSetting("retry_backoff_factor", "By how much the wait grows.", "retryBackoffFactor"), "2"),
		{
			Key: "retry_status_codes", Aliases: []string{"retryStatusCodes"}, Type: schema.ListOf(schema.IntegerFrom(100)),
			Default: "`[500, 408, 429, 502, 503, 504]`", Doc: "The HTTP statuses that are worth a repeat.",
		},
	}
}

var stringOrList = schema.UnionOf(schema.String, schema.ListOf(schema.String))

func agentFields() []*schema.Field {
	return []*schema.Field{
		stringSetting("executable", "The program.", "command", "binary"),
		{Key: "args", Aliases: []string{"arguments"}, Type: stringOrList, Doc: "Its arguments."},
		stringSetting("model", "The model."), stringSetting("cwd", "The folder it works in."),
		numberSetting("timeout_seconds", "The most seconds for an answer.", "timeoutSeconds"),
		stringSetting("log_dir", "The folder of its logs.", "logDir", "log_directory", "logDirectory"),
		stringSetting("log_format", "How it logs: `summary` or `json`.", "logFormat", "log_output_format", "logOutputFormat"),
		stringSetting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
		stringSetting("sandbox_mode", "For codex: what its commands may touch, such as `read-only`.", "sandboxMode"),
		stringSetting("approval_policy", "For codex: when it asks a person, such as `never`.", "approvalPolicy"),
		numberSetting("max_turns", "For claude-code: the most turns of an answer.", "maxTurns"),
		numberSetting("max_budget_usd", "For claude-code: the most US dollars that an answer may cost.", "maxBudgetUsd"),
		stringSetting("system_prompt", "Instructions before everything else.", "systemPrompt"),
		stringSetting("pi_provider", "For pi: who serves its model.", "piProvider"), stringSetting("api_key", "For pi: the key.", "apiKey"),
		{Key: "tools", Type: stringOrList, Doc: "For pi: the tools it may use."}, stringSetting("thinking", "For pi: how much it thinks."),
	}
}

func commandFields() []*schema.Field {
	return []*schema.Field{
		{
			Key: "command_template", Aliases: []string{"commandTemplate"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target",
			Example: "./agent --prompt {PROMPT} --out {OUTPUT_FILE}",
			Doc: "The command. `{PROMPT}`, `{GUIDELINES}`, `{EVAL_ID}`, `{ATTEMPT}`, `{FILES}` and `{OUTPUT_FILE}` are filled in, " +
				"quoted for the shell.",
		},
		stringSetting("files_format", "How each of `{FILES}` is written; `{path}` and `{basename}` are filled in.",
			"filesFormat", "attachments_format", "attachmentsFormat"),
		stringSetting("cwd", "The folder it runs in."), numberSetting("timeout_seconds", "The most seconds for an answer.", "timeoutSeconds"),
		boolSetting("verbose", "Whether the command is shown."), boolSetting("keep_temp_files", "Whether its files are kept.", "keepTempFiles"),
		{Key: "healthcheck", Type: healthcheckType, Doc: "What tells that the command is ready."},
	}
}

var healthcheckTypeField = &schema.Field{
	Key: "type", Required: true, OnInvalid: "refuses the target", Doc: "What is looked at.",
	Type: schema.EnumOf(schema.Value{Text: "http", Doc: "a URL"}, schema.Value{Text: "command", Doc: "a command"}),
}

var healthcheckType = &schema.Type{
	Name:   "healthcheck",
	Doc:    "What tells that a command is ready.",
	Kind:   schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{healthcheckTypeField},
	Choices: []*schema.Type{
		newHealthcheckVariant("http", "A URL that has to answer.",
			&schema.Field{Key: "url", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The URL."}),
		newHealthcheckVariant("command", "A command that has to succeed.",
			&schema.Field{Key: "command_template", Aliases: []string{"commandTemplate"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The command."},
			stringSetting("cwd", "The folder it runs in.")),
	},
}

func newHealthcheckVariant(kind, doc string, fields ...*schema.Field) *schema.Type {
	fields = append([]*schema.Field{healthcheckTypeField}, fields...)
	return &schema.Type{
		Name: "healthcheck-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append(fields, numberSetting("timeout_seconds", "The most seconds to wait.", "timeoutSeconds")),
	}
}
