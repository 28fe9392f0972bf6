// Package score is arithmetic only: from the grades of criteria to a score, its gates and a
// verdict, and from graders' results to a case's result.
//
// The profiles differ where the rules as written and the reference implementation differ. [Spec]
// follows the rules and compares exactly, in rational arithmetic: 7, 7 and 10 of 10 is 0.8 and
// passes. [AgentV] repeats the reference implementation of January 2026, with its IEEE doubles and
// its tolerance of criteria that a judge omits. [AgentV4] and [AgentVHead] are two later versions
// of it.
//
// The package imports the domain and no other package of ours, because the rules about reachable
// verdicts need arithmetic without judges. Therefore grade imports score, and not the other way
// round.
package score
