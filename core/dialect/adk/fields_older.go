package adk

import "github.com/rubric-ls/rubric/core/schema"

// OlderFile is the table of the older form of an evalset: conversations by name.
var OlderFile = schema.ListOf(namedConversationType)

// TurnsFile is the table of the oldest form, one conversation, which only ADK's
// own test runner reads.
var TurnsFile = schema.ListOf(olderTurnType)

var namedConversationType = newLooseType("named-conversation", "A conversation in the form before evalsets.", withoutCamelCase(
	newRequiredField("name", schema.String, "The case's id."),
	newRequiredField("data", schema.ListOf(olderTurnType), "Its turns."),
	newField("initial_session", schema.Object, "`{}`", "The session that the agent begins with."),
)...)

var olderTurnType = newLooseType("older-turn", "A turn in the form before evalsets.", withoutCamelCase(
	withExample("What is my balance?", withNull(newRequiredField("query", schema.String, "What the user says."))),
	withNull(newField("reference", schema.String, "\"\"", "The expected answer.")),
	newField("expected_tool_use", schema.ListOf(newLooseType("older-tool-use", "An expected tool call.", withoutCamelCase(
		withForeignKeys([]string{"name", "tool", "function"}, withNull(newRequiredField("tool_name", schema.String, "The tool."))),
		withForeignKeys([]string{"args", "arguments", "parameters", "input"}, withNull(newRequiredField("tool_input", schema.Object, "Its arguments."))),
	)...)), "`[]`", "The expected tool calls, in order."),
	newField("expected_intermediate_agent_responses", schema.ListOf(newLooseType("older-answer", "An expected answer on the way.", withoutCamelCase(
		newRequiredField("author", schema.String, "The agent."),
		withNull(newRequiredField("text", schema.String, "What it says.")),
	)...)), "`[]`", "The expected answers on the way."),
)...)
