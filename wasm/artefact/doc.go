// Package artefact builds rubric.wasm, and the larger rubric-schemas.wasm, for the
// tests that run them and for the copy that the command line carries: the flags are said
// here and nowhere else.
package artefact
