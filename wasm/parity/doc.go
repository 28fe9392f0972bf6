// Package parity is what native code and WebAssembly are held against each other
// with: requests made of every text that the repository has, the rules' examples
// and the conformance files among them, and of the corpus beside it.
package parity
