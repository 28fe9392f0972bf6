// Package core is the map of the engine: everything that validates and scores
// eval files, with no operating system, network, clock, editor or browser in
// it, so that one and the same code runs in a language server, on a command
// line and in WebAssembly.
//
//	text      one buffer, spans of bytes, every coordinate conversion
//	yaml      any text → a tree with exact spans, and problems
//	schema    the field table's vocabulary; JSON Schema and docs from it
//	conform   tree against field table → facts
//	rubric    the domain: suite, case, grader, criterion, band
//	dialect   the file formats: field tables, and lowering a tree to the domain
//	spell     the word that was meant
//	diag      a finding as data; how a terminal shows it
//	lint      one file per rule: facts into words
//	analysis  Of(source) → everything known about one file, immutable
//	judge     the port to whoever answers; the offline stand-in
//	score     arithmetic: grades → score, gates, verdict
//	grade     one file per way of grading: question → reply → grades
//	metric    ADK's metrics of a recorded conversation, turn by turn
//	run       a suite through target, graders and score, as a stream of events
//	convert   a file in another dialect, and what is lost on the way
//	draft     proposing criteria, as edits that only insert
//
// Data flows one way: text ← yaml ← conform ← dialect and lint ← analysis, and
// rubric ← score ← grade ← run, where a ← b means that b imports a. house_test.go
// holds the bans that keep it so, each with its reason.
package core
