package tables

import "github.com/rubric-ls/rubric/core/schema"

// suiteFields are what a suite says of itself; both newer versions have them.
func suiteFields(kind string) []*schema.Field {
	return []*schema.Field{
		{Key: "$schema", Type: schema.String, Doc: "The JSON Schema that editors check the file by."},
		{Key: "name", Type: schema.NonEmptyString, Default: "the file's name without its extension", Example: "support", Doc: "The suite's name in results: small letters, digits and hyphens."},
		{Key: "description", Type: schema.String, Example: "Support answers for the web shop", Doc: "What the " + kind + " is about, for readers."},
		{Key: "category", Type: schema.String, Doc: "What reports sort the suite under."},
		{Key: "version", Type: schema.UnionOf(schema.String, schema.AnyNumber), Doc: "The suite's own version."},
		{Key: "author", Type: schema.String, Doc: "Who wrote it."},
		{Key: "tags", Type: anyValue, Example: []string{"nightly"}, Doc: "Words by which suites are chosen for a run."},
		{Key: "license", Type: schema.String, Doc: "On which terms the suite may be used."},
		{Key: "requires", Type: anyValue, Doc: "What the suite needs to run."},
		{Key: "metadata", Type: schema.Object, Doc: "Anything, for readers and other tools."},
		{Key: "governance", Type: anyValue, Doc: "Risks and controls that the suite stands for."},
		inputFilesField,
	}
}

var inputFilesField = &schema.Field{
	Key: "input_files", Type: schema.UnionOf(schema.String, stringList), Example: []string{"docs/policy.md"},
	Doc: "Files that go with what is asked.",
}

// testIdentityFields are what a test says of itself; both newer versions have them.
var testIdentityFields = []*schema.Field{
	{Key: "conversation_id", Type: schema.String, Doc: "Ties tests of one conversation together in results."},
	{Key: "suite", Type: schema.String, Doc: "The suite's name in this test's results."},
	{Key: "metadata", Type: schema.Object, Doc: "Anything, for readers and other tools."},
	{Key: "depends_on", Type: schema.UnionOf(schema.String, stringList), Doc: "Tests that have to be run before this one, by their ids."},
	{
		Key: "on_dependency_failure", Doc: "What becomes of this test if one of those fails.", OnInvalid: lostValue,
		Type: schema.EnumOf(
			schema.Value{Text: "skip", Doc: "it is not run"}, schema.Value{Text: "fail", Doc: "it fails too"}, schema.Value{Text: "run", Doc: "it is run all the same"},
		),
	},
}
