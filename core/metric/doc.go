// Package metric is the metrics of ADK's evaluation: how well recorded
// conversations of an agent match what is expected of them, by its tool calls,
// by its words, or by what a judge says of them.
//
// It stands beside package grade, and not in it, because it measures something
// else: a grader takes one submission to one case, a metric takes a whole
// conversation, turn by turn beside the expected one, and has a threshold
// instead of weights and gates. What both need of a judge is package judge.
//
// [Evaluate] measures one conversation by one [Criterion]; [EvaluateCase] by all
// of a case's. Nothing here fails or panics: what cannot be measured is
// [NotEvaluated], with the reason. [Latest] follows ADK 2.11 and [V2] its
// version 2.0 where the two differ. Where ADK's prompts are its own, these are
// ours, and ask for replies of the same form.
//
// Two things differ from ADK on purpose, and no measured number shows it: tool
// calls that an author wrote down as plain lists are evidence for
// hallucinations_v1 too, and safety_v1, which ADK leaves to a cloud service, is
// a judge here.
//
// The package knows conversations and never YAML, files, clocks or providers.
package metric
