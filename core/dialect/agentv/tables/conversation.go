package tables

import "github.com/rubric-ls/rubric/core/schema"

// conversationFields are the keys of a test in several turns. Lists is under which
// name its version has assertions.
func conversationFields(lists string, assertions *schema.Type) []*schema.Field {
	turn := &schema.Type{
		Name: "turn",
		Doc:  "One turn of a conversation with the system under test.",
		Kind: schema.Map,
		Fields: []*schema.Field{
			{Key: "input", Type: schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(messageType), schema.Object), Required: true, OnInvalid: lostFile, Doc: "What is said to it."},
			{Key: "expected_output", Type: answerType, Doc: "A good answer, to compare with."},
			{Key: lists, Type: assertions, Doc: "Who grades this turn."},
		},
		OtherValues: anyValue,
	}
	return []*schema.Field{
		{
			Key: "mode", Type: &schema.Type{Kind: schema.Text, KnownValues: []schema.Value{{Text: "conversation", Doc: "the test has `turns`"}}},
			Doc: "Whether the test is a conversation.",
		},
		{Key: "turns", Type: schema.NonEmptyListOf(turn), Doc: "What is said, one turn after the other. With `mode: conversation` only."},
		{
			Key: "aggregation", Doc: "How the turns' scores become one.", OnInvalid: lostValue,
			Type: schema.EnumOf(
				schema.Value{Text: "mean", Doc: "their mean"}, schema.Value{Text: "min", Doc: "the lowest"}, schema.Value{Text: "max", Doc: "the highest"},
			),
		},
		{
			Key: "on_turn_failure", Doc: "What happens after a turn that fails.", OnInvalid: lostValue,
			Type: schema.EnumOf(schema.Value{Text: "continue", Doc: "the next turn"}, schema.Value{Text: "stop", Doc: "the test ends"}),
		},
		{Key: "window_size", Type: &schema.Type{Kind: schema.Number, Min: new(1.0)}, Doc: "How many turns a grader is shown.", OnInvalid: lostValue},
	}
}
