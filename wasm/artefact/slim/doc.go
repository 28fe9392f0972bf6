// Package slim makes a module that the Go linker wrote smaller: its tables of
// source lines and inlined calls go, and the largest table of all is computed when
// the module starts. It never touches the code, and what it does not know it refuses.
package slim
