// Package jsonschema applies the JSON Schemas of users: those that their files
// name, and those of their graders. It keeps the validator, gojsonschema, from
// what that would do with a schema that is not to be trusted: fetch others,
// overflow the stack, or work for years.
//
// Nothing else of core imports it, for the validator links net/http, and the smaller
// evaluator module has no room for it. The command line, the language server and the
// larger module say the same, since all have this package. Nothing is opened here and
// nothing is timed: who has the files gives their texts, and who has a clock a [Limit].
package jsonschema
