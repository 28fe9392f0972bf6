// Package core documents the engine: all code that validates and scores eval files. It
// uses no operating system, network, clock, editor or browser. The same code therefore runs
// in a language server, on a command line and in WebAssembly.
//
//	text      a buffer: byte spans, edits, conversions between coordinates
//	yaml      any text → a tree with exact spans, and problems
//	schema    field tables; JSON Schema and documentation from them
//	conform   tree + field table → mismatches
//	rubric    the domain: suite, case, grader, criterion, band
//	dialect   file formats: their field tables, and lowering a tree to the domain
//	scalar    a text → a YAML scalar that reads back as the same text
//	spell     the nearest known word
//	excerpt   a shortened text for messages
//	diag      diagnostics as data; rendering for a terminal
//	lint      runs the rules of lint/rules: trees and suites → diagnostics
//	analysis  Of(input) → all that is known about one file, immutable
//	ide       editor features: hover, completion, refactoring …
//	jsonschema
//	          users' JSON Schemas, by a validator that the smaller evaluator module lacks
//	judge     the port to a judge model; the offline judge
//	score     arithmetic: grades → score, gates, verdict
//	grade     one file per way of grading: question → reply → grades
//	metric    ADK's metrics of a recorded conversation, turn by turn
//	run       a suite through target, graders and score, as a stream of events
//	report    the data and the page of a run's report
//	calibrate agreement between a judge and people's grades
//	convert   a file in another dialect, and what is lost
//	draft     proposed criteria, as edits that only insert
//	javascript
//	          values as JavaScript converts them
//	pattern   regular expressions that compile on first use, and those of JavaScript
//	nfkc      Unicode normalization form KC
//	corpustest
//	          eval files for tests
//
// Data flows in one direction: text ← yaml ← conform ← dialect and lint ← analysis, and
// rubric ← score ← grade ← run, where a ← b means that b imports a. house_test.go lists the
// forbidden imports, each with its reason.
package core
