package assertion_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/schema"
)

// assertions returns the assertion types of a version's table.
func assertions(v agentv.Version) *schema.Type {
	list := map[agentv.Version]*schema.Field{agentv.V4: v4.TestType.Field("assertions"), agentv.Head: head.TestType.Field("assert")}[v]
	return list.Type.Items.Choices[1]
}

// TestAssertionTypes checks that the tables and the reader know the same types.
func TestAssertionTypes(t *testing.T) {
	for _, v := range []agentv.Version{agentv.V4, agentv.Head} {
		known := assertion.Types(v)
		for _, typ := range known {
			if assertions(v).VariantByTag(typ) == nil {
				t.Errorf("%s: %s is read and has no table", v, typ)
			}
			if slices.Contains(assertion.RefusedTypes(v), typ) {
				t.Errorf("%s: %s is read and refused", v, typ)
			}
		}
		for _, c := range assertions(v).Choices {
			if len(c.TagValues) > 0 && !slices.Contains(known, c.TagValues[0]) && c.TagValues[0] != "inline-assert" {
				t.Errorf("%s: %s has a table and is not read", v, c.TagValues[0])
			}
		}
	}
}
