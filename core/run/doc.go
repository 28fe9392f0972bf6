// Package run is the engine that runs the cases of a suite: it asks the target, grades the
// submission and combines the grades. It reports what happens as a stream of [Event]s.
//
// A [Runner] receives its I/O as ports: target, judge, sandbox and clock. It works on several
// cases at a time, but delivers their records in the suite's order. It holds only a few records
// at a time, however long the suite is. A [Record] is one line of a result file. It holds
// everything that is needed to score the case again without a model; see [Rescore].
//
// If the conversations are already recorded, metrics measure them instead of a target and
// graders.
//
// No failure stops a run. If a target fails or panics, its record holds an error. A cancelled run
// keeps its finished records.
package run
