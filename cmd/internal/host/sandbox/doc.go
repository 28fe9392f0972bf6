// Package sandbox runs graders that users wrote and that are compiled to
// WebAssembly (WASI commands) where they can touch nothing: no file, no network,
// no environment, no clock of the machine, no other program. What they read and
// print, how much memory they take and how long they compile and run has an end.
//
// That is why they need nobody's leave. Whoever wants more from a grader runs it
// as a program.
package sandbox
