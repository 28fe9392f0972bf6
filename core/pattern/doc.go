// Package pattern has the regular expressions that the engine is written with.
// Compiled at the start, as regexp.MustCompile would, the hundred of them took
// two thirds of every start, which is longest in WebAssembly. What users write as
// a pattern is none: package grade compiles it.
package pattern
