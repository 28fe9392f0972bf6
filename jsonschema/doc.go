// Package jsonschema applies the JSON Schemas of users: those that their files
// name, and those of their graders. It keeps the validator, gojsonschema, from
// what that would do with a schema that is not to be trusted: fetch others,
// overflow the stack, or work for years.
//
// It stands beside core, which has no third party's code and must not link what
// the validator does (net/http), and not in the host: the command line, the
// language server and the larger of the two evaluator modules say the same, since
// all have this package. Nothing is opened here and nothing is timed: who has the
// files gives their texts, and who has a clock a [Limit].
package jsonschema
