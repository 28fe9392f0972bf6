// Package evaluator hosts rubric.wasm: the evaluator as its WebAssembly module,
// which answers with the same bytes as the function that it was compiled from.
//
// A [Module] is compiled once and has as many instances as calls that are made
// at a time. The module sees no file, no environment, no network and a clock
// that only counts. It is several times slower than the function itself, so it
// is here to prove that both agree and to try a module out, never for speed.
//
// The copy that the command line carries is built by `make build` and is not in
// the repository: two megabytes that no two commits share would soon be most of
// it. A program built without it says so. That a copy is this source's is proven
// by building it again: a build gives the same bytes everywhere.
package evaluator
