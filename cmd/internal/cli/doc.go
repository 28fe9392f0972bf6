// Package cli is the command line: a file per verb, and Main, a function of
// arguments and streams that gives an exit status, so that tests run the whole
// of it in memory.
//
// Exit statuses are the same everywhere: 0 done and nothing wrong, 1 done and
// something is (an error in a file, a case that does not pass), 2 not done
// (usage, a file that cannot be read), 3 a judge or target could not be reached.
//
// Results go to standard output, everything about them to standard error.
package cli
