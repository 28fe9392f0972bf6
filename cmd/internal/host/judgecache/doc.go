// Package judgements keeps what judges said, so that nothing is paid for twice.
//
// The file is a bbolt database: one file, transactions that a kill -9 leaves
// whole, no dependencies of its own. Only one process has it open at a time, so
// it is open only while something is read or written, and a moment longer; others
// wait for their turn for a while. Questions are kept as fingerprints, answers in the clear.
package judgecache
