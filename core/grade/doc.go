// Package grade is the ways of grading a submission, one file each: asking a
// judge, running a program, looking for texts, patterns or JSON, comparing tool
// calls, fields or figures, and combining several of these.
//
// [Grade] turns a case, one of its graders and a submission into an [Outcome].
// What needs the outside world arrives as [Ports]: a judge to ask, a way to run
// programs and one to apply JSON Schemas, any of which may be missing. Nothing
// here fails or panics: what cannot be judged comes out ungraded, with the reason.
//
// The profiles differ where the reference implementation turns a failure into a
// score of 0: under [score.Spec] missing data, an unusable reply or an unreadable
// program output is ungraded, under [score.AgentV] it is 0 and a fail, as there.
// The later versions skip what a judge failed to judge; here too it is ungraded.
//
// The package knows the domain and never YAML, files, clocks or providers.
package grade
