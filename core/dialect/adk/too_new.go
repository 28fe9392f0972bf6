package adk

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// findTooNew are the keys that ADK 2.0 refuses because a later version brought them,
// and what only 2.0 cannot do without: the content of an event.
func findTooNew(t *schema.Type, n *yaml.Node) (found []Refusal) {
	switch {
	case t.Kind == schema.List:
		for _, item := range n.List() {
			found = append(found, findTooNew(t.Items, item)...)
		}
		return found
	case !n.IsMap():
		return nil
	case t.Kind == schema.Union:
		for _, choice := range t.Choices {
			found = append(found, findTooNew(choice, n)...)
		}
		return found
	case t.HasVariants():
		t = t.VariantByKey(func(key string) bool { return n.Get(key) != nil })
	}
	if t == invocationEventType && n.Get("content") == nil {
		found = append(found, Refusal{Kind: conform.MissingKey, Span: n.Span, Node: n, Owner: t, Field: t.Field("content"), Key: "content"})
	}
	for _, p := range n.Entries() {
		f := t.Field(p.Key.Value)
		switch {
		case f == nil && t.OtherValues != nil:
			found = append(found, findTooNew(t.OtherValues, p.Value)...)
		case f == nil:
		case f.AddedIn != "" && t.OnUnknownKey != "":
			found = append(found, Refusal{Kind: conform.UnknownKey, Span: p.Key.Span, Node: n, Owner: t, Key: p.Key.Value})
		default:
			found = append(found, findTooNew(f.Type, p.Value)...)
		}
	}
	return found
}
