// Package metric implements the metrics of ADK's evaluation. They measure how well recorded
// conversations of an agent match expectations: by tool calls, by wording, or by a judge's
// verdicts.
//
// Metrics are separate from package grade because they measure something else. A grader takes one
// submission to one case. A metric takes a whole conversation, turn by turn next to the expected
// one, and has a threshold instead of weights and gates. Package judge holds what both need of a
// judge.
//
// [Evaluate] measures one conversation by one [Criterion], [EvaluateCase] by all criteria of a
// case. Nothing here fails or panics: what cannot be measured is [NotEvaluated], with the reason.
// [Latest] follows ADK 2.11, and [V2] follows version 2.0 where the two differ. The prompts are our
// own and ask for replies in ADK's format.
//
// Two things differ from ADK on purpose, and no measured number shows it. Tool calls that an author
// lists by hand are evidence for hallucinations_v1 too. safety_v1, which ADK leaves to a cloud
// service, is a judge here.
//
// The package knows conversations, and never YAML, files, clocks or providers.
package metric
