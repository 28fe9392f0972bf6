package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/schema"
)

// TargetsFile is a targets.yaml.
var TargetsFile = &schema.Type{
	Name: "targets-file",
	Doc:  "The systems under test, and the models that judge them.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		schemaKey("agentv-targets-v2.2"),
		{Key: "targets", Type: schema.ListOf(targetType), Required: true, OnInvalid: "refuses the file", Doc: "The targets."},
	},
}

// targetType is any target; its `provider` chooses the keys. One that is not
// known is tried all the same.
var targetType = &schema.Type{
	Name:   "target",
	Doc:    "A system under test or a judge; its `provider` decides which settings it takes. `${{ NAME }}` in a text is the environment's value.",
	Kind:   schema.Map,
	Tag:    "provider",
	Fields: []*schema.Field{providerField},
	Choices: []*schema.Type{
		provider([]string{"azure", "azure-openai"}, "A model on Azure OpenAI.", append(modelFields(),
			setting("endpoint", "The resource's URL or name.", "resource", "resourceName"),
			&schema.Field{Key: "model", Aliases: []string{"deployment", "deploymentName"}, WinningName: "deployment", Type: schema.String, Doc: "The deployment."},
			setting("version", "The API's version.", "api_version", "apiVersion"))...),
		provider([]string{"anthropic"}, "A model of Anthropic.", append(modelFields(),
			endpoint, variantModel, thinkingBudget)...),
		provider([]string{"gemini", "google", "google-gemini"}, "A model of Google.", append(modelFields(), endpoint, variantModel, thinkingBudget)...),
		provider([]string{"openai", "bedrock", "vertex"}, "A model by another provider.", append(modelFields(), endpoint, setting("model", "The model."))...),
		provider(ownProviders(), "A model that only `rubric` asks.", append(modelFields(), endpoint, setting("model", "The model."))...),
		provider(agents, "A coding agent on this machine.", agentFields()...),
		provider([]string{"cli"}, "Any command.", commandFields()...),
		provider(editors, "An agent in Visual Studio Code.",
			setting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
			setting("vscode_cmd", "The command that opens the editor.", "vscodeCmd", "executable"),
			count("timeout_seconds", "The most seconds for an answer.", "timeoutSeconds"), flag("wait", "Whether to wait for the agent."),
			flag("dry_run", "Whether to ask nothing.", "dryRun"), setting("subagent_root", "The folder of its agents.", "subagentRoot")),
		provider([]string{"mock"}, "A canned answer, for trying things out.",
			setting("response", "The answer."), count("delay_ms", "Milliseconds to wait.", "delayMs"),
			count("delay_min_ms", "The least milliseconds to wait.", "delayMinMs"),
			count("delay_max_ms", "The most milliseconds to wait.", "delayMaxMs"),
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
	agents  = []string{"codex", "codex-cli", "copilot-cli", "claude-code", "pi", "pi-coding-agent", "pi-agent-sdk"}
	editors = []string{"vscode", "vscode-insiders"}
)

// IsAgent reports whether a provider is a program of somebody else's that AgentV
// starts with options of its own.
func IsAgent(provider string) bool {
	return slices.Contains(agents, provider) || slices.Contains(editors, provider)
}

// ownProviders are those that `rubric` asks and AgentV does not know.
func ownProviders() []string {
	return []string{"openai-responses", "openrouter", "vllm", "lmstudio", "ollama"}
}

func provider(names []string, doc string, settings ...*schema.Field) *schema.Type {
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

func setting(key, doc string, aliases ...string) *schema.Field {
	return &schema.Field{Key: key, Aliases: aliases, Type: schema.String, Doc: doc}
}

func count(key, doc string, aliases ...string) *schema.Field {
	return &schema.Field{Key: key, Aliases: aliases, Type: schema.UnionOf(schema.NonNegative, schema.String), Doc: doc}
}

// leaving is a count that -1 leaves to the provider.
func leaving(key, doc string, aliases ...string) *schema.Field {
	least := -1.0
	f := count(key, doc+" -1 leaves it to the provider.", aliases...)
	f.Type = schema.UnionOf(&schema.Type{Kind: schema.Number, Min: &least}, schema.String)
	return f
}

func flag(key, doc string, aliases ...string) *schema.Field {
	return &schema.Field{Key: key, Aliases: aliases, Type: schema.UnionOf(schema.Boolean, schema.String), Doc: doc}
}

var (
	endpoint       = setting("endpoint", "The URL.")
	variantModel   = setting("model", "The model.", "deployment", "variant")
	thinkingBudget = leaving("thinking_budget", "Tokens to think with.", "thinkingBudget")
)

// modelFields are what every model takes, the settings among them that only `rubric` reads.
func modelFields() []*schema.Field {
	const own = " AgentV does not read it; `rubric` does."
	return append(retryFields(),
		setting("api_key", "The key.", "apiKey"),
		setting("base_url", "The URL below which the provider's interface is."+own, "baseUrl"),
		&schema.Field{Key: "headers", Type: schema.MapOf(schema.String), Doc: "HTTP headers of each request, besides the provider's own or in their place." + own},
		leaving("seed", "Of the first sample; the others count on from it."+own),
		count("temperature", "How freely the model words its answers."),
		count("max_output_tokens", "The most tokens of an answer.", "maxOutputTokens", "maxTokens"),
		count("timeout_seconds", "The most seconds for an answer."+own, "timeoutSeconds"),
		count("requests_per_minute", "The most requests in a minute."+own, "requestsPerMinute"),
		count("tokens_per_minute", "The most tokens in a minute."+own, "tokensPerMinute"),
	)
}

func retryFields() []*schema.Field {
	defaults := func(f *schema.Field, value string) *schema.Field { f.Default = value; return f }
	return []*schema.Field{
		defaults(count("max_retries", "How often a failed request is repeated.", "maxRetries"), "3"),
		defaults(count("retry_initial_delay_ms", "Milliseconds before the first repeat.", "retryInitialDelayMs"), "1000"),
		defaults(count("retry_max_delay_ms", "The most milliseconds before a repeat.", "retryMaxDelayMs"), "60000"),
		defaults(count("retry_backoff_factor", "By how much the wait grows.", "retryBackoffFactor"), "2"),
		{
			Key: "retry_status_codes", Aliases: []string{"retryStatusCodes"}, Type: schema.ListOf(schema.IntegerFrom(100)),
			Default: "`[500, 408, 429, 502, 503, 504]`", Doc: "The HTTP statuses that are worth a repeat.",
		},
	}
}

var oneOrMore = schema.UnionOf(schema.String, schema.ListOf(schema.String))

func agentFields() []*schema.Field {
	return []*schema.Field{
		setting("executable", "The program.", "command", "binary"),
		{Key: "args", Aliases: []string{"arguments"}, Type: oneOrMore, Doc: "Its arguments."},
		setting("model", "The model."), setting("cwd", "The folder it works in."),
		count("timeout_seconds", "The most seconds for an answer.", "timeoutSeconds"),
		setting("log_dir", "The folder of its logs.", "logDir", "log_directory", "logDirectory"),
		setting("log_format", "How it logs: `summary` or `json`.", "logFormat", "log_output_format", "logOutputFormat"),
		setting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
		setting("sandbox_mode", "For codex: what its commands may touch, such as `read-only`.", "sandboxMode"),
		setting("approval_policy", "For codex: when it asks a person, such as `never`.", "approvalPolicy"),
		count("max_turns", "For claude-code: the most turns of an answer.", "maxTurns"),
		count("max_budget_usd", "For claude-code: the most US dollars that an answer may cost.", "maxBudgetUsd"),
		setting("system_prompt", "Instructions before everything else.", "systemPrompt"),
		setting("pi_provider", "For pi: who serves its model.", "piProvider"), setting("api_key", "For pi: the key.", "apiKey"),
		{Key: "tools", Type: oneOrMore, Doc: "For pi: the tools it may use."}, setting("thinking", "For pi: how much it thinks."),
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
		setting("files_format", "How each of `{FILES}` is written; `{path}` and `{basename}` are filled in.",
			"filesFormat", "attachments_format", "attachmentsFormat"),
		setting("cwd", "The folder it runs in."), count("timeout_seconds", "The most seconds for an answer.", "timeoutSeconds"),
		flag("verbose", "Whether the command is shown."), flag("keep_temp_files", "Whether its files are kept.", "keepTempFiles"),
		{Key: "healthcheck", Type: healthcheckType, Doc: "What tells that the command is ready."},
	}
}

var healthcheckTag = &schema.Field{
	Key: "type", Required: true, OnInvalid: "refuses the target", Doc: "What is looked at.",
	Type: schema.EnumOf(schema.Value{Text: "http", Doc: "a URL"}, schema.Value{Text: "command", Doc: "a command"}),
}

var healthcheckType = &schema.Type{
	Name:   "healthcheck",
	Doc:    "What tells that a command is ready.",
	Kind:   schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{healthcheckTag},
	Choices: []*schema.Type{
		healthcheck("http", "A URL that has to answer.",
			&schema.Field{Key: "url", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The URL."}),
		healthcheck("command", "A command that has to succeed.",
			&schema.Field{Key: "command_template", Aliases: []string{"commandTemplate"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The command."},
			setting("cwd", "The folder it runs in.")),
	},
}

func healthcheck(kind, doc string, fields ...*schema.Field) *schema.Type {
	fields = append([]*schema.Field{healthcheckTag}, fields...)
	return &schema.Type{
		Name: "healthcheck-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append(fields, count("timeout_seconds", "The most seconds to wait.", "timeoutSeconds")),
	}
}
