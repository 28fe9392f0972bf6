// Package score is arithmetic only: from the grades of criteria to a score, its
// gates and a verdict, and from graders' results to a case's.
//
// Profiles give several answers where the rules as written and the reference
// implementation differ. [Spec] follows the rules and compares exactly, in
// rational arithmetic: 7, 7 and 10 of 10 is 0.8 and passes. A case that could not
// be judged in full, and of which no gate failed, has no score: see [Ungraded].
// [AgentV] repeats the
// reference implementation's IEEE doubles and its forgiving treatment of
// criteria that a judge left out, in its version of January 2026; [AgentV4] and
// [AgentVHead] are two later versions of it.
//
// score imports the domain and nothing else of ours: the rules that reason
// about reachable verdicts need arithmetic without judges. That is why grade
// imports score here and not the other way round.
package score
