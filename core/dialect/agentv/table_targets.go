package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/schema"
)

// TargetsFile is the table of targets.yaml.
var TargetsFile = &schema.Type{
	Name: "targets-file", Doc: "The systems under test, and the models that judge them.", Kind: schema.Map,
	Fields: []*schema.Field{
		SchemaKey("agentv-targets-v2.2"),
		{Key: "targets", Type: schema.ListOf(targetType), Required: true, OnInvalid: "refuses the file", Doc: "The targets."},
	},
}

// SchemaKey returns the `$schema` field, which identifies a kind of file.
func SchemaKey(name string) *schema.Field {
	return &schema.Field{
		Key: "$schema", Informational: true, Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{{Text: name}}}, Example: name,
		Doc: "The kind of file: `" + name + "`. Required only if the path does not identify it.",
	}
}

// ConfigFile is the table of .agentv/config.yaml.
var ConfigFile = &schema.Type{
	Name: "config-file", Doc: "Settings for all eval files in a folder and its subfolders.", Kind: schema.Map,
	Fields: []*schema.Field{
		SchemaKey("agentv-config-v2"),
		{Key: "guideline_patterns", Type: schema.NonEmptyListOf(schema.String), Example: []string{"**/*.instructions.md"}, Doc: "Glob patterns for referenced files that are guidelines instead of attachments."},
	},
}

// targetType is the table of a target; its `provider` selects the variant. Unknown providers
// are allowed.
var targetType = &schema.Type{
	Name: "target", Doc: "A system under test or a judge. Its `provider` decides which settings it has. `${{ NAME }}` in a text is replaced by the environment variable.", Kind: schema.Map,
	Tag:    "provider",
	Fields: []*schema.Field{providerField},
	Choices: []*schema.Type{
		newProviderVariant([]string{"azure", "azure-openai"}, "A model on Azure OpenAI.", append(modelFields(),
			stringSetting("endpoint", "The resource's URL or name.", "resource", "resourceName"),
			&schema.Field{Key: "model", Aliases: []string{"deployment", "deploymentName"}, WinningName: "deployment", Type: schema.String, Doc: "The deployment."},
			stringSetting("version", "The API's version.", "api_version", "apiVersion"))...),
		newProviderVariant([]string{"anthropic"}, "A model by Anthropic.", append(modelFields(),
			endpointSetting, modelSetting, thinkingBudgetSetting)...),
		newProviderVariant([]string{"gemini", "google", "google-gemini"}, "A model by Google.", append(modelFields(), endpointSetting, modelSetting, thinkingBudgetSetting)...),
		newProviderVariant([]string{"openai", "bedrock", "vertex"}, "A model by another provider.", append(modelFields(), endpointSetting, stringSetting("model", "The model."))...),
		newProviderVariant(rubricOnlyProviders, "A model that `rubric` supports and AgentV does not.", append(modelFields(), endpointSetting, stringSetting("model", "The model."))...),
		newProviderVariant(agentProviders, "A coding agent on this machine.", agentFields()...),
		newProviderVariant([]string{"cli"}, "Any command.", commandFields()...),
		newProviderVariant(editorProviders, "An agent in Visual Studio Code.",
			stringSetting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
			stringSetting("vscode_cmd", "The command that opens the editor.", "vscodeCmd", "executable"),
			numberSetting("timeout_seconds", "The maximum seconds for an answer.", "timeoutSeconds"), boolSetting("wait", "Whether to wait for the agent."),
			boolSetting("dry_run", "Whether to skip the call.", "dryRun"), stringSetting("subagent_root", "The folder of its agents.", "subagentRoot")),
		newProviderVariant([]string{"mock"}, "A fixed answer, for experiments.",
			stringSetting("response", "The answer."), numberSetting("delay_ms", "Milliseconds to wait.", "delayMs"),
			numberSetting("delay_min_ms", "The minimum milliseconds to wait.", "delayMinMs"),
			numberSetting("delay_max_ms", "The maximum milliseconds to wait.", "delayMaxMs"),
			&schema.Field{Key: "trace", Type: schema.AnyValue, Doc: "The trace of the answer."}),
	},
}

var providerField = &schema.Field{
	Key: "provider", Required: true, OnInvalid: "refuses the target", Doc: "The provider of the target.",
	Type: &schema.Type{Kind: schema.Text, KnownValues: append([]schema.Value{
		{Text: "azure"}, {Text: "azure-openai"}, {Text: "anthropic"}, {Text: "gemini"}, {Text: "google"}, {Text: "google-gemini"},
		{Text: "openai"}, {Text: "bedrock"}, {Text: "vertex"}, {Text: "codex"}, {Text: "codex-cli"}, {Text: "copilot-cli"},
		{Text: "claude-code"}, {Text: "pi"}, {Text: "pi-coding-agent"}, {Text: "pi-agent-sdk"}, {Text: "cli"}, {Text: "vscode"},
		{Text: "vscode-insiders"}, {Text: "mock"},
	}, rubricOnlyValues()...)},
}

func rubricOnlyValues() (values []schema.Value) {
	for _, name := range rubricOnlyProviders {
		values = append(values, schema.Value{Text: name})
	}
	return values
}

var (
	agentProviders  = []string{"codex", "codex-cli", "copilot-cli", "claude-code", "pi", "pi-coding-agent", "pi-agent-sdk"}
	editorProviders = []string{"vscode", "vscode-insiders"}
	// rubricOnlyProviders are the providers that `rubric` supports and AgentV does not.
	rubricOnlyProviders = func() (names []string) {
		for _, p := range provider.Providers() {
			if !slices.Contains([]string{"openai", "azure", "anthropic", "gemini"}, p.Name) {
				names = append(names, p.Name)
			}
		}
		return names
	}()
)

// IsAgent reports whether a provider is a third-party program that AgentV starts with its own
// options.
func IsAgent(provider string) bool {
	return slices.Contains(agentProviders, provider) || slices.Contains(editorProviders, provider)
}

func newProviderVariant(names []string, doc string, settings ...*schema.Field) *schema.Type {
	fields := []*schema.Field{
		{Key: "name", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The target's name in eval files."},
		providerField,
		{Key: "judge_target", Aliases: []string{"judgeTarget"}, Type: schema.NonEmptyString, Default: "the target itself", Doc: "The target that judges the answers of this one."},
		{Key: "grader_target", Aliases: []string{"graderTarget"}, Type: schema.NonEmptyString, Doc: "`judge_target` in AgentV 4."},
		{Key: "workers", Type: schema.IntegerFrom(1), Doc: "The number of cases at a time."},
		{Key: "provider_batching", Aliases: []string{"providerBatching"}, Type: schema.Boolean, Default: "`false`", Doc: "Whether all cases go into one request."},
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
	thinkingBudgetSetting = numberOrProviderDefault("thinking_budget", "Tokens for thinking.", "thinkingBudget")
)

// modelFields returns the settings of every model, including those that only `rubric` reads.
func modelFields() []*schema.Field {
	const own = " Only `rubric` reads it, not AgentV."
	return append(retryFields(),
		stringSetting("api_key", "The key.", "apiKey"),
		stringSetting("base_url", "The base URL of the provider's API."+own, "baseUrl"),
		&schema.Field{Key: "headers", Type: schema.MapOf(schema.String), Doc: "HTTP headers of each request; they add to or replace the provider's own." + own},
		numberOrProviderDefault("seed", "The seed of the first sample; each further sample adds 1."+own),
		numberSetting("temperature", "The sampling temperature."),
		numberSetting("max_output_tokens", "The maximum tokens of an answer.", "maxOutputTokens", "maxTokens"),
		numberSetting("timeout_seconds", "The maximum seconds for an answer."+own, "timeoutSeconds"),
		numberSetting("requests_per_minute", "The maximum requests per minute."+own, "requestsPerMinute"),
		numberSetting("tokens_per_minute", "The maximum tokens per minute."+own, "tokensPerMinute"),
	)
}

func retryFields() []*schema.Field {
	defaults := func(f *schema.Field, value string) *schema.Field { f.Default = value; return f }
	return []*schema.Field{
		defaults(numberSetting("max_retries", "The number of retries of a failed request.", "maxRetries"), "3"),
		defaults(numberSetting("retry_initial_delay_ms", "Milliseconds before the first retry.", "retryInitialDelayMs"), "1000"),
		defaults(numberSetting("retry_max_delay_ms", "The maximum milliseconds before a retry.", "retryMaxDelayMs"), "60000"),
		defaults(numberSetting("retry_backoff_factor", "The factor by which the delay grows.", "retryBackoffFactor"), "2"),
		{Key: "retry_status_codes", Aliases: []string{"retryStatusCodes"}, Type: schema.ListOf(schema.IntegerFrom(100)), Default: "`[500, 408, 429, 502, 503, 504]`", Doc: "The HTTP statuses that are retried."},
	}
}

var stringOrList = schema.UnionOf(schema.String, schema.ListOf(schema.String))

func agentFields() []*schema.Field {
	return []*schema.Field{
		stringSetting("executable", "The program.", "command", "binary"),
		{Key: "args", Aliases: []string{"arguments"}, Type: stringOrList, Doc: "Its arguments."},
		stringSetting("model", "The model."), stringSetting("cwd", "The working folder."),
		numberSetting("timeout_seconds", "The maximum seconds for an answer.", "timeoutSeconds"),
		stringSetting("log_dir", "The folder of its logs.", "logDir", "log_directory", "logDirectory"),
		stringSetting("log_format", "The log format: `summary` or `json`.", "logFormat", "log_output_format", "logOutputFormat"),
		stringSetting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
		stringSetting("sandbox_mode", "For codex: the sandbox of its commands, such as `read-only`.", "sandboxMode"),
		stringSetting("approval_policy", "For codex: when it asks a person for approval, such as `never`.", "approvalPolicy"),
		numberSetting("max_turns", "For claude-code: the maximum turns of an answer.", "maxTurns"),
		numberSetting("max_budget_usd", "For claude-code: the maximum cost of an answer in US dollars.", "maxBudgetUsd"),
		stringSetting("system_prompt", "The system prompt.", "systemPrompt"),
		stringSetting("pi_provider", "For pi: the provider of its model.", "piProvider"), stringSetting("api_key", "For pi: the key.", "apiKey"),
		{Key: "tools", Type: stringOrList, Doc: "For pi: the tools it may use."}, stringSetting("thinking", "For pi: the thinking level."),
	}
}

func commandFields() []*schema.Field {
	return []*schema.Field{
		{
			Key: "command_template", Aliases: []string{"commandTemplate"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target",
			Example: "./agent --prompt {PROMPT} --out {OUTPUT_FILE}",
			Doc: "The command. Placeholders are replaced, quoted for the shell: `{PROMPT}` by the case's messages as one text, with `@[User]:` " +
				"and so on if there are several; `{PROMPT_FILE}` by a file of that text; `{MESSAGES_FILE}` by a file of the messages as JSON; and " +
				"`{GUIDELINES}`, `{EVAL_ID}`, `{ATTEMPT}`, `{FILES}` and `{OUTPUT_FILE}`.",
		},
		stringSetting("files_format", "The format of each of `{FILES}`; `{path}` and `{basename}` are replaced.",
			"filesFormat", "attachments_format", "attachmentsFormat"),
		stringSetting("cwd", "The working folder."), numberSetting("timeout_seconds", "The maximum seconds for an answer.", "timeoutSeconds"),
		boolSetting("verbose", "Whether to show the command."), boolSetting("keep_temp_files", "Whether to keep its temporary files.", "keepTempFiles"),
		{Key: "healthcheck", Type: healthcheckType, Doc: "The check that the command is ready."},
	}
}

var healthcheckTypeField = &schema.Field{
	Key: "type", Required: true, OnInvalid: "refuses the target", Doc: "The kind of check.",
	Type: schema.EnumOf(schema.Value{Text: "http", Doc: "a URL"}, schema.Value{Text: "command", Doc: "a command"}),
}

var healthcheckType = &schema.Type{
	Name: "healthcheck", Doc: "The check that a command is ready.", Kind: schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{healthcheckTypeField},
	Choices: []*schema.Type{
		newHealthcheckVariant("http", "A URL that must answer.",
			&schema.Field{Key: "url", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The URL."}),
		newHealthcheckVariant("command", "A command that must succeed.",
			&schema.Field{Key: "command_template", Aliases: []string{"commandTemplate"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The command."},
			stringSetting("cwd", "The working folder.")),
	},
}

func newHealthcheckVariant(kind, doc string, fields ...*schema.Field) *schema.Type {
	fields = append([]*schema.Field{healthcheckTypeField}, fields...)
	return &schema.Type{
		Name: "healthcheck-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append(fields, numberSetting("timeout_seconds", "The maximum seconds to wait.", "timeoutSeconds")),
	}
}
