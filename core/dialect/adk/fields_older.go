package adk

import "github.com/rubric-ls/rubric/core/schema"

// OlderFile is the table of the older form of an evalset: conversations by name.
var OlderFile = schema.ListOf(namedType)

// TurnsFile is the table of the oldest form, one conversation, which only ADK's
// own test runner reads.
var TurnsFile = schema.ListOf(turnType)

var namedType = loose("named-conversation", "A conversation in the form before evalsets.", snake(
	needed("name", schema.String, "The case's id."),
	needed("data", schema.ListOf(turnType), "Its turns."),
	field("initial_session", schema.Object, "`{}`", "The session that the agent begins with."),
)...)

var turnType = loose("older-turn", "A turn in the form before evalsets.", snake(
	with("What is my balance?", nullable(needed("query", schema.String, "What the user says."))),
	nullable(field("reference", schema.String, "\"\"", "The expected answer.")),
	field("expected_tool_use", schema.ListOf(loose("older-tool-use", "An expected tool call.", snake(
		not([]string{"name", "tool", "function"}, nullable(needed("tool_name", schema.String, "The tool."))),
		not([]string{"args", "arguments", "parameters", "input"}, nullable(needed("tool_input", schema.Object, "Its arguments."))),
	)...)), "`[]`", "The expected tool calls, in order."),
	field("expected_intermediate_agent_responses", schema.ListOf(loose("older-answer", "An expected answer on the way.", snake(
		needed("author", schema.String, "The agent."),
		nullable(needed("text", schema.String, "What it says.")),
	)...)), "`[]`", "The expected answers on the way."),
)...)
