package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// judgeFields are what a model that grades is told besides its criteria.
func judgeFields(prompt *schema.Type) []*schema.Field {
	return []*schema.Field{
		{
			Key: "prompt", Type: prompt, Example: "file://prompts/judge.md",
			Doc: "The judge's own prompt: the text, `file://` and the path of a file, or a program that writes it. `{{ input }}`, " +
				"`{{ output }}`, `{{ expected_output }}`, `{{ criteria }}` and `{{ rubrics }}` are filled in. Criteria count before it.",
		},
		{Key: "model", Type: schema.String, Doc: "The model that grades."},
		{Key: "provider", Type: anyValue, Doc: "The provider of the model that grades."},
		{Key: "target", Type: schema.String, Doc: "The target that grades."},
		{Key: "temperature", Type: schema.NonNegative, Doc: "How freely the model words its reply."},
		{Key: "max_steps", Aliases: []string{"maxSteps"}, Type: schema.IntegerFrom(1), Doc: "The most steps of an agent that grades."},
		{Key: "preprocessors", Type: anyValue, Doc: "What is made of files before they are shown."},
		{Key: "config", Type: schema.Object, Doc: "Handed to a prompt's program."},
		agentv.SamplesField,
	}
}

const programDoc = "A program grades: it gets the test and the answer as JSON and prints a score, or succeeds or fails. " +
	"All keys that are not listed here are handed to it as `config`."

// programFields are those of a program that grades.
func programFields() []*schema.Field {
	return []*schema.Field{
		{
			Key: "command", Type: agentv.ScriptType, Example: []string{"python", "judge.py"}, OnInvalid: lostEntry,
			Doc: "The program: its arguments, or a line for the shell.",
		},
		{Key: "cwd", Type: schema.NonEmptyString, Default: "the eval file's folder", Doc: "The folder to run it in."},
		{Key: "target", Type: schema.UnionOf(schema.Boolean, agentv.ProxyType), Doc: "Lets the program ask the judge's model through a local proxy."},
		{Key: "preprocessors", Type: anyValue, Doc: "What is made of files before they are handed over."},
		{Key: "config", Type: schema.Object, Doc: "Handed to the program."},
	}
}
