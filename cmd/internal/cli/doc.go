// Package cli is the command line. It has one file per command, and files for what
// commands share: reading suites, running them, resuming a run and writing reports. Main
// takes arguments and streams and returns an exit status, so tests run it in memory.
//
// Exit statuses are the same for all commands. 0: no findings. 1: findings, such as an
// error in a file or a case that does not pass. 2: usage, or a file that cannot be used.
// 3: something could not be judged or reached.
//
// Results go to standard output. Everything else goes to standard error.
package cli
