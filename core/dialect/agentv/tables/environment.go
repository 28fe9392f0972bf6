package tables

import "github.com/rubric-ls/rubric/core/schema"

// environmentField is where Head has answers made.
var environmentField = &schema.Field{
	Key: "environment", Type: schema.UnionOf(schema.NonEmptyString, environmentType), Example: map[string]any{"type": "host", "workdir": "work"}, OnInvalid: lostFile,
	Doc: "Where answers are made: a recipe, or `file://` and the path of one.",
}

var environmentTypeField = &schema.Field{
	Key: "type", Required: true, OnInvalid: lostFile, Doc: "What kind of place it is.",
	Type: schema.EnumOf(schema.Value{Text: "host", Doc: "a folder of this machine"}, schema.Value{Text: "docker", Doc: "a container"}),
}

var environmentType = &schema.Type{
	Name:   "environment",
	Doc:    "Where answers are made.",
	Kind:   schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{environmentTypeField},
	Choices: []*schema.Type{
		newEnvironmentVariant("host", "A folder of this machine."),
		newDockerVariant(),
	},
}

func newEnvironmentVariant(kind, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{
		Name: "environment-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind}, OnUnknownKey: lostFile,
		Fields: append([]*schema.Field{
			environmentTypeField,
			{Key: "workdir", Type: schema.NonEmptyString, Required: true, OnInvalid: lostFile, Doc: "The folder that is worked in."},
			{Key: "setup", Type: setupType, OnInvalid: lostFile, Doc: "What is run before."},
			{Key: "env", Type: schema.MapOf(schema.String), OnInvalid: lostFile, Doc: "Variables of the environment."},
		}, fields...),
	}
}

func newDockerVariant() *schema.Type {
	t := newEnvironmentVariant("docker", "A container.",
		newTextField("context", "The folder that its image is built from."), newTextField("dockerfile", "What it is built by."), newTextField("image", "The image, if it is built already."),
		&schema.Field{Key: "resources", Type: resourcesType, OnInvalid: lostFile, Doc: "What it may use."},
		&schema.Field{Key: "mounts", Type: schema.ListOf(mountType), OnInvalid: lostFile, Doc: "Folders of this machine that it sees."},
		&schema.Field{Key: "secrets", Type: schema.MapOf(schema.String), OnInvalid: lostFile, Doc: "Variables that are not shown."},
	)
	t.RequireAny, t.OnMissingAll = []string{"context", "image"}, lostFile
	return t
}

var setupType = &schema.Type{
	Name: "setup", Doc: "A command that prepares an environment.", Kind: schema.Map, OnUnknownKey: lostFile,
	Fields: []*schema.Field{
		{Key: "command", Type: schema.NonEmptyListOf(schema.NonEmptyString), Required: true, OnInvalid: lostFile, Example: []string{"npm", "ci"}, Doc: "The command and its arguments."},
		newTextField("cwd", "The folder that it runs in."),
		{Key: "timeout_ms", Type: schema.PositiveNumber, OnInvalid: lostFile, Doc: "The most milliseconds that it may take."},
	},
}

var resourcesType = &schema.Type{
	Name: "resources", Doc: "What a container may use.", Kind: schema.Map, OnUnknownKey: lostFile,
	Fields: []*schema.Field{
		{Key: "cpus", Type: schema.PositiveNumber, OnInvalid: lostFile, Doc: "Processors."},
		newTextField("memory", "Memory, with its unit."), newTextField("disk", "Disk, with its unit."),
		{Key: "gpu", Type: schema.UnionOf(schema.String, schema.Boolean), OnInvalid: lostFile, Doc: "Graphics processors."},
	},
}

var mountType = &schema.Type{
	Name: "mount", Doc: "A folder of this machine that a container sees.", Kind: schema.Map, OnUnknownKey: lostFile,
	Fields: []*schema.Field{
		asRequired(newTextField("source", "The folder here."), lostFile), asRequired(newTextField("target", "The folder there."), lostFile),
		{
			Key: "access", OnInvalid: lostFile, Doc: "What the container may do with it.",
			Type: schema.EnumOf(schema.Value{Text: "ro", Doc: "read"}, schema.Value{Text: "rw", Doc: "read and write"}),
		},
		{Key: "read_only", Type: schema.Boolean, OnInvalid: lostFile, Doc: "The same, as a truth value."},
	},
}

// newTextField is a field of some words.
func newTextField(key, doc string) *schema.Field {
	return &schema.Field{Key: key, Type: schema.NonEmptyString, OnInvalid: lostFile, Doc: doc}
}
