// Package wasitest assembles small WebAssembly modules for tests: those that no
// compiler would make.
package wasitest
