// Package rubric is the domain: what an eval file means, whatever dialect it
// was written in.
//
// A [Suite] holds [Case]s, a case holds [Grader]s, a rubric grader holds
// [Criterion]s, a graded criterion holds [Band]s. Each value keeps the span of
// text it came from. Defaults are filled in; what the runner would drop is
// dropped here too and remembered as a [Loss], so that what is scored is
// exactly what was shown.
//
// The package knows no YAML, no prompt, no score and no file.
package rubric
