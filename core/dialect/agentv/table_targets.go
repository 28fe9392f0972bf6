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
		newProviderVariant([]string{ADKProvider}, "A running agent of Google's ADK, which `rubric` asks and AgentV does not.",
			&schema.Field{Key: "base_url", Aliases: []string{"baseUrl", "endpoint"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Example: "http://localhost:8000", Doc: "The address of `adk api_server`, and `/apps/NAME` after it if it has several apps."},
			stringSetting("api_key", "The bearer token, if the server requires one.", "apiKey"),
			&schema.Field{Key: "headers", Type: schema.MapOf(schema.String), Doc: "HTTP headers of each request."},
			timeoutSetting("The maximum seconds for a turn.", "timeoutSeconds")),
		newProviderVariant(agentProviders, "A coding agent on this machine.", agentFields...),
		newProviderVariant([]string{"cli"}, "Any command.", commandFields...),
		newProviderVariant(editorProviders, "An agent in Visual Studio Code.",
			stringSetting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
			stringSetting("vscode_cmd", "The command that opens the editor.", "vscodeCmd", "executable"),
			timeoutSetting("The maximum seconds for an answer.", "timeoutSeconds"), boolSetting("wait", "Whether to wait for the agent."),
			boolSetting("dry_run", "Whether to skip the call.", "dryRun"), stringSetting("subagent_root", "The folder of its agents.", "subagentRoot")),
		{Name: "target-reference", Doc: "Another name of a target.", Kind: schema.Map, MarkerKey: "use_target", Fields: []*schema.Field{
			{Key: "name", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The target's name in eval files."},
			{Key: "use_target", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Example: "openai", Doc: "The target that it stands for."},
			{Key: "grader_target", Type: schema.NonEmptyString, Doc: "The target that judges the answers, instead of the other target's."},
		}},
		newProviderVariant([]string{"mock"}, "A fixed answer, for experiments.",
			stringSetting("response", "The answer."), numberSetting("delay_ms", "Milliseconds to wait.", "delayMs"),
			numberSetting("delay_min_ms", "The minimum milliseconds to wait.", "delayMinMs"),
			numberSetting("delay_max_ms", "The maximum milliseconds to wait.", "delayMaxMs"),
			&schema.Field{Key: "trace", Type: schema.AnyValue, Doc: "The trace of the answer."}),
		newProviderVariant([]string{"replay"}, "The answers that another target has given.",
			stringSetting("fixtures", "The file of whole answers, from the eval file's folder."),
			stringSetting("transcripts", "The file of answers as messages, from the eval file's folder."),
			stringSetting("execution_traces", "The file of traces. `rubric` does not read it."),
			&schema.Field{Key: "source_target", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The target that has given the answers."},
			stringSetting("suite", "The suite of the fixtures, instead of the eval file's."),
			stringSetting("eval_path", "The eval file of the fixtures, instead of the one that runs."),
			stringSetting("variant", "The variant of the fixtures.")),
	},
}

var providerField = &schema.Field{
	Key: "provider", Required: true, OnInvalid: "refuses the target", Doc: "The provider of the target.",
	Type: &schema.Type{Kind: schema.Text, KnownValues: append([]schema.Value{
		{Text: "azure"}, {Text: "azure-openai"}, {Text: "anthropic"}, {Text: "gemini"}, {Text: "google"}, {Text: "google-gemini"},
		{Text: "openai"}, {Text: "bedrock"}, {Text: "vertex"}, {Text: "cli"}, {Text: "vscode"}, {Text: "vscode-insiders"}, {Text: "mock"}, {Text: "replay"}, {Text: "transcript"},
	}, schema.Values(slices.Concat(agentProviders, rubricOnlyProviders, []string{ADKProvider}))...)},
}

// ADKProvider is the provider of targets that are running ADK agents. AgentV does not have it.
const ADKProvider = "adk"

// agentSynonyms returns the other names of agents.
func agentSynonyms() (names []string) {
	for name, agent := range providerSynonyms {
		if !slices.Contains([]string{"azure", "gemini"}, agent) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

var (
	agentProviders  = append([]string{"codex", "copilot-cli", "claude-code", "pi-coding-agent"}, agentSynonyms()...)
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

// UnsupportedProvider says why a target of one of AgentV's providers cannot be asked, or what to write
// instead. It is "" for all others.
func UnsupportedProvider(provider string) string {
	switch {
	case slices.Contains(editorProviders, provider):
		return "its agent works in a window of the editor, which must be open and signed in; use `copilot-cli`, which answers on the command line"
	case provider == "transcript":
		return "AgentV has it on its command line only; use `--target` and the file, or `provider: replay` with `transcripts`"
	}
	return ""
}

func newProviderVariant(names []string, doc string, settings ...*schema.Field) *schema.Type {
	fields := []*schema.Field{
		{Key: "name", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The target's name in eval files."},
		providerField,
		{Key: "judge_target", Aliases: []string{"judgeTarget"}, Type: schema.NonEmptyString, Default: "the target itself", Doc: "The target that judges the answers of this one."},
		{Key: "grader_target", Aliases: []string{"graderTarget"}, Type: schema.NonEmptyString, Doc: "`judge_target` in AgentV 4."},
		{Key: "fallback_targets", Type: schema.ListOf(schema.String), Doc: "The targets that answer in its place if it fails, in order."},
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
	return &schema.Field{Key: key, Aliases: aliases, Type: schema.UnionOf(schema.NonNegative, schema.NumberText), Doc: doc}
}

// timeoutSetting is a time limit, which cannot be 0.
func timeoutSetting(doc string, aliases ...string) *schema.Field {
	return &schema.Field{Key: "timeout_seconds", Aliases: aliases, Type: schema.UnionOf(schema.PositiveNumber, schema.NumberText), Doc: doc}
}

// numberOrProviderDefault returns a number setting for which -1 means the provider's default.
func numberOrProviderDefault(key, doc string, aliases ...string) *schema.Field {
	least := -1.0
	f := numberSetting(key, doc+" -1 leaves it to the provider.", aliases...)
	f.Type = schema.UnionOf(&schema.Type{Kind: schema.Number, Min: &least}, schema.NumberText)
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
		timeoutSetting("The maximum seconds for an answer."+own, "timeoutSeconds"),
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

var agentFields = []*schema.Field{
	{Key: "executable", Aliases: []string{"command", "binary", "cli_path"}, Type: stringOrList, Doc: "The program, or the words that start it."},
	boolSetting("bypass_permissions", "For claude: whether it may do anything without asking.", "bypassPermissions"),
	stringSetting("variant", "For cc-mirror: the variant of Claude Code."),
	stringSetting("model_reasoning_effort", "For codex: how much its model reasons."), stringSetting("model_verbosity", "For codex: how much its model says."),
	{Key: "stream_log", Informational: true, Type: schema.AnyValue, Doc: "The log of AgentV: `raw`, `summary` or `false`."},
	{Key: "byok", Type: schema.AnyValue, Doc: "For copilot: the model that it uses."},
	stringSetting("base_url", "The address of its model.", "endpoint"),
	{Key: "args", Aliases: []string{"arguments"}, Type: stringOrList, Doc: "Its arguments."},
	stringSetting("model", "The model."), stringSetting("cwd", "The working folder."),
	timeoutSetting("The maximum seconds for an answer.", "timeoutSeconds"),
	stringSetting("log_dir", "The folder of its logs.", "logDir", "log_directory", "logDirectory"),
	stringSetting("log_format", "The log format: `summary` or `json`.", "logFormat", "log_output_format", "logOutputFormat"),
	stringSetting("workspace_template", "The workspace to start from.", "workspaceTemplate"),
	stringSetting("sandbox_mode", "For codex: the sandbox of its commands, such as `read-only`.", "sandboxMode"),
	stringSetting("approval_policy", "For codex: when it asks a person for approval, such as `never`.", "approvalPolicy"),
	numberSetting("max_turns", "For claude-code: the maximum turns of an answer.", "maxTurns"),
	numberSetting("max_budget_usd", "For claude-code: the maximum cost of an answer in US dollars.", "maxBudgetUsd"),
	stringSetting("system_prompt", "The system prompt.", "systemPrompt"),
	stringSetting("subprovider", "For pi: the provider of its model.", "pi_provider", "piProvider"), stringSetting("api_key", "The key, which its program finds in the environment.", "apiKey", "github_token"),
	{Key: "tools", Type: stringOrList, Doc: "For pi: the tools it may use."}, stringSetting("thinking", "For pi: the thinking level."),
}

var commandFields = []*schema.Field{
	{
		Key: "command_template", Aliases: []string{"commandTemplate", "command"}, WinningName: "command", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target",
		Example: "./agent --prompt {PROMPT} --out {OUTPUT_FILE}",
		Doc: "The command. Placeholders are replaced, quoted for the shell: `{PROMPT}` by the case's messages as one text, with `@[User]:` " +
			"and so on if there are several; `{PROMPT_FILE}` by a file of that text; `{MESSAGES_FILE}` by a file of the messages as JSON; and " +
			"`{GUIDELINES}`, `{EVAL_ID}`, `{ATTEMPT}`, `{FILES}` and `{OUTPUT_FILE}`.",
	},
	stringSetting("files_format", "The format of each of `{FILES}`; `{path}` and `{basename}` are replaced.",
		"filesFormat", "attachments_format", "attachmentsFormat"),
	stringSetting("cwd", "The working folder."), timeoutSetting("The maximum seconds for an answer.", "timeoutSeconds"),
	boolSetting("verbose", "Whether to show the command."), boolSetting("keep_temp_files", "Whether to keep its temporary files.", "keepTempFiles"),
	{Key: "healthcheck", Type: healthcheckType, Doc: "The check that the command is ready."},
}

var healthcheckTypeField = &schema.Field{
	Key: "type", OnInvalid: "refuses the target", Doc: "The kind of check. AgentV 4 takes it from the other keys.",
	Type: schema.EnumOf(schema.Value{Text: "http", Doc: "a URL"}, schema.Value{Text: "command", Doc: "a command"}),
}

// healthcheckType has two variants without a `type`, as AgentV 4 writes them.
var healthcheckType = &schema.Type{
	Name: "healthcheck", Doc: "The check that a command is ready.", Kind: schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{healthcheckTypeField},
	Choices: []*schema.Type{
		newHealthcheckVariant("http", "", "A URL that must answer.", healthURLField),
		newHealthcheckVariant("command", "", "A command that must succeed.",
			&schema.Field{Key: "command_template", Aliases: []string{"commandTemplate", "command"}, WinningName: "command", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The command."},
			stringSetting("cwd", "The working folder.")),
		newHealthcheckVariant("url", "url", "A URL that must answer.", healthURLField),
		newHealthcheckVariant("program", "command", "A command that must succeed.",
			&schema.Field{Key: "command", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The command."},
			stringSetting("cwd", "The working folder.")),
	},
}

var healthURLField = &schema.Field{Key: "url", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the target", Doc: "The URL."}

// newHealthcheckVariant returns a variant that its `type` selects, or else the key marker.
func newHealthcheckVariant(kind, marker, doc string, fields ...*schema.Field) *schema.Type {
	t := &schema.Type{Name: "healthcheck-" + kind, Doc: doc, Kind: schema.Map, MarkerKey: marker, Fields: append([]*schema.Field{healthcheckTypeField}, fields...)}
	timeout := timeoutSetting("The maximum seconds to wait.")
	if marker == "" {
		t.TagValues, timeout.Aliases = []string{kind}, []string{"timeoutSeconds"}
	}
	t.Fields = append(t.Fields, timeout)
	return t
}
