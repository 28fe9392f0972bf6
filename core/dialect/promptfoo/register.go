package promptfoo

import (
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

func init() {
	dialect.Register(dialect.Other{
		Name: Name, Suite: Config, RoleOf: RoleOf, IsNear: isNearConfig, TypeOf: typeOf, Mismatches: mismatches, Files: files,
		Lower: func(r dialect.Reader, t *yaml.Tree, role agentv.Role) *rubric.Suite { return Reader(r).Lower(t, role) },
		ForeignRules: []string{
			"loader-loss", "not-supported", "asserts-nothing", // those of promptfoo have own rules
			"yaml-lookalike",     // it reads YAML 1.2 but for dates; see changed-value
			"schema-not-applied", // its own schema has fewer rules than the field table
			"id-style",           // its tests have numbers
		},
	})
}

// files are the kinds of files, the configuration first.
func files() []schema.Document {
	return []schema.Document{
		{Name: "promptfoo-config", Title: "promptfoo configuration", Root: ConfigFile},
		{Name: "promptfoo-tests", Title: "promptfoo tests", Root: TestsFile},
	}
}

// typeOf returns the table for a role, or nil.
func typeOf(role agentv.Role) *schema.Type {
	return map[agentv.Role]*schema.Type{Config: ConfigFile, Tests: TestsFile}[role]
}
