// Package jsonschema applies users' JSON Schemas: those that their files name, and those of their
// graders. It protects the validator, gojsonschema, from untrusted schemas that would make it fetch
// others, overflow the stack, or run for years.
//
// No other package of core imports it: the validator links net/http and does not fit into the
// smaller evaluator module. The command line, the language server and the larger module give the
// same answers, because all of them use this package. It reads no files and no clock: the caller
// passes texts, and a [Limit] if it has a clock.
package jsonschema
