package head

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/schema"
)

var repeatField = &schema.Field{
	Key: "repeat", Type: schema.IntegerFrom(1), Example: 3, OnInvalid: v4.RefusesFile,
	Doc: "The number of runs of each test. One that passes is enough.",
}

var budgetField = &schema.Field{Key: "budget_usd", Type: schema.PositiveNumber, OnInvalid: v4.RefusesFile, Doc: "The maximum cost in US dollars."}

// evaluateOptionsType is the table of Head's settings for running a suite.
var evaluateOptionsType = &schema.Type{
	Name: "evaluate-options", Doc: "Settings for running the suite.", Kind: schema.Map,
	Fields: []*schema.Field{
		budgetField,
		{Key: "max_concurrency", Informational: true, Type: schema.IntegerBetween(1, 50), OnInvalid: v4.RefusesFile, Doc: "The number of tests at a time."},
		{Key: "cache", Informational: true, Type: schema.AnyValue, Doc: "Whether to cache answers for the next run."},
		{Key: "delay", Informational: true, Type: schema.NonNegative, OnInvalid: v4.RefusesFile, Doc: "Milliseconds to wait between requests."},
		{Key: "generate_suggestions", Informational: true, Type: schema.AnyValue, Doc: "Whether to propose better prompts."},
		repeatField,
		{Key: "timeout_ms", Type: schema.PositiveNumber, OnInvalid: v4.RefusesFile, Doc: "The maximum milliseconds for one test."},
		{Key: "max_eval_time_ms", Type: schema.PositiveNumber, OnInvalid: v4.RefusesFile, Doc: "The maximum milliseconds for the whole run."},
		{
			Key: "filter_range", OnInvalid: v4.RefusesFile, Example: "0:10", Doc: "The tests to run, by position: a text, or two numbers.",
			Type: schema.UnionOf(schema.String, &schema.Type{Kind: schema.List, Items: schema.AnyNumber, MinLength: 2, MaxLength: 2}),
		},
	},
}

// runType is the table of Head's settings for running one test.
var runType = &schema.Type{
	Name: "run", Doc: "Settings for running one test.", Kind: schema.Map,
	OnUnknownKey: v4.RefusesFile,
	Fields: []*schema.Field{
		v4.ThresholdField,
		repeatField,
		{Key: "timeout_seconds", Type: schema.PositiveNumber, OnInvalid: v4.RefusesFile, Doc: "The maximum seconds for an answer."},
		budgetField,
	},
}

// optionsType is the table of options that Head passes on to providers and graders.
var optionsType = &schema.Type{
	Name: "options", Doc: "Options for providers and graders.", Kind: schema.Map,
	Fields: append([]*schema.Field{
		repeatField,
		{Key: "provider", Type: schema.AnyValue, Doc: "The model that grades."},
		transformField,
		{Key: "rubric_prompt", Type: schema.AnyValue, Doc: "In `default_test`: the judge's prompt for rubrics without one."},
	}, v4.NewRemovedFields("Changed answers before they were graded.", v4.RefusesFile, "postprocess")...),
	OtherValues: schema.AnyValue,
}

// transformField names what Head changes answers by. It stands among the options or in an assertion.
var transformField = &schema.Field{
	Key: "transform", Unsupported: "answers are graded as they are", Type: schema.AnyValue,
	Doc: "A function or program that changes answers before they are graded.",
}

// environmentField is Head's key for the environment in which the target runs.
var environmentField = &schema.Field{
	Key: "environment", Unsupported: "no environment is set up", LeavesUngraded: true, Type: schema.UnionOf(schema.NonEmptyString, environmentType), Example: map[string]any{"type": "host", "workdir": "work"}, OnInvalid: v4.RefusesFile,
	Doc: "The environment of the target: a recipe, or `file://` and the path of one.",
}

var environmentTypeField = &schema.Field{
	Key: "type", Required: true, OnInvalid: v4.RefusesFile, Doc: "The kind of environment.",
	Type: schema.EnumOf(schema.Value{Text: "host", Doc: "a folder on this machine"}, schema.Value{Text: "docker", Doc: "a container"}),
}

var environmentType = &schema.Type{
	Name: "environment", Doc: "The environment of the target.", Kind: schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{environmentTypeField},
	Choices: []*schema.Type{
		newEnvironmentVariant("host", "A folder on this machine."),
		newDockerVariant(),
	},
}

func newEnvironmentVariant(kind, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{
		Name: "environment-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind}, OnUnknownKey: v4.RefusesFile,
		Fields: append([]*schema.Field{
			environmentTypeField,
			{Key: "workdir", Type: schema.NonEmptyString, Required: true, OnInvalid: v4.RefusesFile, Doc: "The working folder."},
			{Key: "setup", Type: setupType, OnInvalid: v4.RefusesFile, Doc: "A command to run first."},
			{Key: "env", Type: schema.MapOf(schema.String), OnInvalid: v4.RefusesFile, Doc: "Environment variables."},
		}, fields...),
	}
}

func newDockerVariant() *schema.Type {
	t := newEnvironmentVariant("docker", "A container.",
		newTextField("context", "The build context of the image."), newTextField("dockerfile", "The Dockerfile."), newTextField("image", "An existing image."),
		&schema.Field{Key: "resources", Type: resourcesType, OnInvalid: v4.RefusesFile, Doc: "The resource limits."},
		&schema.Field{Key: "mounts", Type: schema.ListOf(mountType), OnInvalid: v4.RefusesFile, Doc: "Folders on this machine that the container can access."},
		&schema.Field{Key: "secrets", Type: schema.MapOf(schema.String), OnInvalid: v4.RefusesFile, Doc: "Environment variables that are not shown."},
	)
	t.RequireAny, t.OnMissingAll = []string{"context", "image"}, v4.RefusesFile
	return t
}

var setupType = &schema.Type{
	Name: "setup", Doc: "A command that prepares an environment.", Kind: schema.Map, OnUnknownKey: v4.RefusesFile,
	Fields: []*schema.Field{
		{Key: "command", Type: schema.NonEmptyListOf(schema.NonEmptyString), Required: true, OnInvalid: v4.RefusesFile, Example: []string{"npm", "ci"}, Doc: "The command and its arguments."},
		newTextField("cwd", "The working folder."),
		{Key: "timeout_ms", Type: schema.PositiveNumber, OnInvalid: v4.RefusesFile, Doc: "The maximum duration in milliseconds."},
	},
}

var resourcesType = &schema.Type{
	Name: "resources", Doc: "The resource limits of a container.", Kind: schema.Map, OnUnknownKey: v4.RefusesFile,
	Fields: []*schema.Field{
		{Key: "cpus", Type: schema.PositiveNumber, OnInvalid: v4.RefusesFile, Doc: "Processors."},
		newTextField("memory", "Memory, with its unit."), newTextField("disk", "Disk, with its unit."),
		{Key: "gpu", Type: schema.UnionOf(schema.String, schema.Boolean), OnInvalid: v4.RefusesFile, Doc: "Graphics processors."},
	},
}

var mountType = &schema.Type{
	Name: "mount", Doc: "A folder on this machine that a container can access.", Kind: schema.Map, OnUnknownKey: v4.RefusesFile,
	Fields: []*schema.Field{
		v4.AsRequired(newTextField("source", "The folder on this machine."), v4.RefusesFile), v4.AsRequired(newTextField("target", "The folder in the container."), v4.RefusesFile),
		{Key: "access", OnInvalid: v4.RefusesFile, Doc: "The container's access.", Type: schema.EnumOf(schema.Value{Text: "ro", Doc: "read"}, schema.Value{Text: "rw", Doc: "read and write"})},
		{Key: "read_only", Type: schema.Boolean, OnInvalid: v4.RefusesFile, Doc: "The same as a boolean."},
	},
}

// newTextField returns a field for a non-empty string.
func newTextField(key, doc string) *schema.Field {
	return &schema.Field{Key: key, Type: schema.NonEmptyString, OnInvalid: v4.RefusesFile, Doc: doc}
}
