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
//	scalar    a text as a YAML scalar from which the same text is read
//	spell     the word that was meant
//	excerpt   enough of a text to know which one it is
//	diag      a finding as data; how a terminal shows it
//	lint      one file per rule: facts into words
//	analysis  Of(source) → everything known about one file, immutable
//	assist    what an editor asks at a place: hover, completion, refactoring …
//	spoken    what an editor was last told of a file, as JSON
//	judge     the port to whoever answers; the offline stand-in
//	score     arithmetic: grades → score, gates, verdict
//	grade     one file per way of grading: question → reply → grades
//	metric    ADK's metrics of a recorded conversation, turn by turn
//	run       a suite through target, graders and score, as a stream of events
//	report    what every form of a report shows of a run; its page
//	calibrate how a judge agrees with people's grades
//	convert   a file in another dialect, and what is lost on the way
//	draft     proposing criteria, as edits that only insert
//	pattern   regular expressions, compiled when they are first used
//	nfkc      text in Unicode's normalization form KC
//	corpustest
//	          eval files for tests
//
// Data flows one way: text ← yaml ← conform ← dialect and lint ← analysis, and
// rubric ← score ← grade ← run, where a ← b means that b imports a. house_test.go
// holds the bans that keep it so, each with its reason.
package core
