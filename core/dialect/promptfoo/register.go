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
		Name: Name, Version: Version, RoleOf: RoleOf, Mismatches: mismatches,
		Files: []dialect.OtherFile{
			{Role: Config, Document: schema.Document{Name: "promptfoo-config", Title: "promptfoo configuration", Root: ConfigFile}},
			{Role: Tests, Document: schema.Document{Name: "promptfoo-tests", Title: "promptfoo tests", Root: TestsFile}},
		},
		Lower: func(r dialect.Reader, t *yaml.Tree, role agentv.Role) *rubric.Suite { return Reader(r).Lower(t, role) },
		Divide: func(r dialect.Reader, path string, header *yaml.Tree, key string) dialect.LowerPart {
			return Reader(r).divide(path, header, key)
		},
		ForeignRules: []string{
			"loader-loss", "not-supported", "asserts-nothing", // those of promptfoo have own rules
			"yaml-lookalike",     // it reads YAML 1.2 but for dates; see changed-value
			"schema-not-applied", // its own schema has fewer rules than the field table
			"id-style",           // its tests have numbers
		},
	})
}
