package grade

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// Draft-07 schemas of replies, with %s for what depends on the rubric. All keys of an object are
// required and no others allowed, the only form that every provider's structured output accepts.
const (
	freeformSchema = `{"additionalProperties":false,"properties":{"hits":{"items":{"type":"string"},"type":"array"},` +
		`"misses":{"items":{"type":"string"},"type":"array"},"reasoning":{"type":"string"},` +
		`"score":{"maximum":1,"minimum":0,"type":"number"}},"required":["hits","misses","reasoning","score"],"type":"object"}`
	rubricFormSchema = `{"additionalProperties":false,"properties":{"checks":{"items":%s,"type":"array"},` +
		`"overall_reasoning":{"type":"string"}},"required":["checks","overall_reasoning"],"type":"object"}`
	checkSchema = `{"additionalProperties":false,"properties":{"id":{"enum":%s},"reasoning":{"type":"string"},` +
		`"satisfied":{"type":"boolean"}},"required":["id","reasoning","satisfied"],"type":"object"}`
	scoreSchema = `{"additionalProperties":false,"properties":{"id":{"enum":%s},"reasoning":{"type":"string"},` +
		`"score":{"maximum":10,"minimum":0,"type":"integer"}},"required":["id","reasoning","score"],"type":"object"}`
)

// rubricSchema returns the schema of a reply about items.
func rubricSchema(items []judge.Item) json.RawMessage {
	var forms []string
	for _, ranged := range []bool{false, true} {
		form := map[bool]string{false: checkSchema, true: scoreSchema}[ranged]
		var ids []string
		for _, i := range items {
			if i.Ranged == ranged && !slices.Contains(ids, i.ID) {
				ids = append(ids, i.ID)
			}
		}
		if len(ids) > 0 {
			enum, _ := json.Marshal(ids)
			forms = append(forms, fmt.Sprintf(form, enum))
		}
	}
	if len(forms) > 1 {
		forms = []string{`{"anyOf":[` + strings.Join(forms, ",") + `]}`}
	}
	return fmt.Appendf(nil, rubricFormSchema, forms[0])
}
