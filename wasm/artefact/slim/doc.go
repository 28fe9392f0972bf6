// Package slim makes a module that the Go linker wrote smaller: its tables of
// source lines and inlined calls go, and what follows from the order of the functions
// is computed when the module starts: the largest table of all, and in the table of
// functions where each of them begins, where its entry is and where its name is. It
// never changes the code, and returns an error for a layout that it does not know.
package slim
