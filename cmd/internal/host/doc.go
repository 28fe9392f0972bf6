// Package host is where the program touches the machine: files, processes, the
// environment. Nothing else in the module opens a file for an eval, starts a
// program or will open a connection, so this folder is what to read when asking
// what rubric may do.
//
// It runs only what its caller passes on from a person (a flag, a chosen
// target), never what a file says on its own. It decides nothing about evals.
package host
