// Package artefact builds rubric.wasm and the larger rubric-schemas.wasm. Tests, the
// command line and the npm package use it, so the build flags are defined once.
package artefact
