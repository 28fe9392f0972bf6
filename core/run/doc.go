// Package run takes a suite through its cases: ask the target, grade the
// submission, combine the grades, as a stream of [Event]s.
//
// A [Runner] is a program over ports: target, judge, sandbox and clock are
// handed in. Cases are worked on side by side, and yet their records come in
// the suite's order and only a few at a time are held, however long the suite
// is. A [Record] is one line of a result file and holds all that is needed to
// score it again without a model, which is what [Rescore] does.
//
// Where conversations are recorded already, there is no target to ask and nothing
// to grade: metrics measure them, and the rest is the same.
//
// Nothing here stops a run: a target that fails or panics is a record with an
// error, a cancelled run keeps the records it has.
package run
