// Package wasi is how WebAssembly is run here: a runtime with an end to its
// memory, and guests that see no file, no network, no environment, no arguments
// and a clock of their own. What is compiled may be kept on disk.
//
// Nothing of the machine reaches a guest but the streams that it is given.
package wasi
