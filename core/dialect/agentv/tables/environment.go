package tables

import "github.com/rubric-ls/rubric/core/schema"

// environmentField is where Head has answers made.
var environmentField = &schema.Field{
	Key: "environment", Type: schema.UnionOf(schema.NonEmptyString, environmentType), Example: map[string]any{"type": "host", "workdir": "work"}, OnInvalid: refusesFile,
	Doc: "Where answers are made: a recipe, or `file://` and the path of one.",
}

var environmentTag = &schema.Field{
	Key: "type", Required: true, OnInvalid: refusesFile, Doc: "What kind of place it is.",
	Type: schema.EnumOf(schema.Value{Text: "host", Doc: "a folder of this machine"}, schema.Value{Text: "docker", Doc: "a container"}),
}

var environmentType = &schema.Type{
	Name:   "environment",
	Doc:    "Where answers are made.",
	Kind:   schema.Map,
	Tag:    "type",
	Fields: []*schema.Field{environmentTag},
	Choices: []*schema.Type{
		place("host", "A folder of this machine."),
		docker(),
	},
}

func place(kind, doc string, fields ...*schema.Field) *schema.Type {
	return &schema.Type{
		Name: "environment-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind}, OnUnknownKey: refusesFile,
		Fields: append([]*schema.Field{
			environmentTag,
			{Key: "workdir", Type: schema.NonEmptyString, Required: true, OnInvalid: refusesFile, Doc: "The folder that is worked in."},
			{Key: "setup", Type: setupType, OnInvalid: refusesFile, Doc: "What is run before."},
			{Key: "env", Type: schema.MapOf(schema.String), OnInvalid: refusesFile, Doc: "Variables of the environment."},
		}, fields...),
	}
}

func docker() *schema.Type {
	t := place("docker", "A container.",
		text("context", "The folder that its image is built from."), text("dockerfile", "What it is built by."), text("image", "The image, if it is built already."),
		&schema.Field{Key: "resources", Type: resourcesType, OnInvalid: refusesFile, Doc: "What it may use."},
		&schema.Field{Key: "mounts", Type: schema.ListOf(mountType), OnInvalid: refusesFile, Doc: "Folders of this machine that it sees."},
		&schema.Field{Key: "secrets", Type: schema.MapOf(schema.String), OnInvalid: refusesFile, Doc: "Variables that are not shown."},
	)
	t.RequireAny, t.OnMissingAll = []string{"context", "image"}, refusesFile
	return t
}

var setupType = &schema.Type{
	Name: "setup", Doc: "A command that prepares an environment.", Kind: schema.Map, OnUnknownKey: refusesFile,
	Fields: []*schema.Field{
		{Key: "command", Type: schema.NonEmptyListOf(schema.NonEmptyString), Required: true, OnInvalid: refusesFile, Example: []string{"npm", "ci"}, Doc: "The command and its arguments."},
		text("cwd", "The folder that it runs in."),
		{Key: "timeout_ms", Type: schema.PositiveNumber, OnInvalid: refusesFile, Doc: "The most milliseconds that it may take."},
	},
}

var resourcesType = &schema.Type{
	Name: "resources", Doc: "What a container may use.", Kind: schema.Map, OnUnknownKey: refusesFile,
	Fields: []*schema.Field{
		{Key: "cpus", Type: schema.PositiveNumber, OnInvalid: refusesFile, Doc: "Processors."},
		text("memory", "Memory, with its unit."), text("disk", "Disk, with its unit."),
		{Key: "gpu", Type: schema.UnionOf(schema.String, schema.Boolean), OnInvalid: refusesFile, Doc: "Graphics processors."},
	},
}

var mountType = &schema.Type{
	Name: "mount", Doc: "A folder of this machine that a container sees.", Kind: schema.Map, OnUnknownKey: refusesFile,
	Fields: []*schema.Field{
		required(text("source", "The folder here."), refusesFile), required(text("target", "The folder there."), refusesFile),
		{
			Key: "access", OnInvalid: refusesFile, Doc: "What the container may do with it.",
			Type: schema.EnumOf(schema.Value{Text: "ro", Doc: "read"}, schema.Value{Text: "rw", Doc: "read and write"}),
		},
		{Key: "read_only", Type: schema.Boolean, OnInvalid: refusesFile, Doc: "The same, as a truth value."},
	},
}

// text is a field of some words.
func text(key, doc string) *schema.Field {
	return &schema.Field{Key: key, Type: schema.NonEmptyString, OnInvalid: refusesFile, Doc: doc}
}
