package conform

import (
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// CheckField is [Check] of a value that stands under a key of a mapping of type
// owner, without the mapping. A key that owner does not have is not checked.
func CheckField(owner *schema.Type, key, n *yaml.Node) []Mismatch {
	field := owner.Field(key.Value)
	if field == nil {
		return nil
	}
	c := &checker{}
	c.checkValue(field.TypeAs(key.Value), n, location{owner: owner, field: field, key: key})
	return c.mismatches
}
