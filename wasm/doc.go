//go:build wasip1

// Command wasm is the evaluator as a WebAssembly module: rubric.wasm, a WASI
// reactor that runs in a browser's worker, in Node and in any WASI host, and
// answers the requests of package api. README.md documents the binary interface
// for those who write a host.
//
// The module opens no file and connects to nothing: of WASI it uses what the Go
// runtime asks for at its start and to report a crash. It is compiled for wasip1
// alone, so that `go build ./...` passes it by.
package main

// main is never run: a reactor has only its exports.
func main() {}
