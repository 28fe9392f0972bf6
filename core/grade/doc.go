// Package grade grades submissions, with one file for each kind of grader: asking a judge, running
// a program, checking texts, patterns or JSON, comparing tool calls, fields or metrics, and
// combining several graders.
//
// [Grade] turns a case, one of its graders and a submission into an [Outcome]. I/O arrives as
// [Ports]: a judge, a way to run programs and a JSON Schema validator, each of which may be
// missing. Nothing here fails or panics: what cannot be judged is ungraded, with the reason.
//
// The profiles differ where the reference implementation turns a failure into a score of 0. Under
// [score.Spec] missing data, an unusable reply or an unreadable program output is ungraded. Under
// [score.AgentV] it is 0 and a fail, as in the reference. The later versions skip what a judge
// failed to judge; here too it is ungraded.
//
// The package knows the domain, and never YAML, files, clocks or providers.
package grade
