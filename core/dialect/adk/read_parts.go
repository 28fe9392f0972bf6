package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadInvocations reads a list of turns as a case has them. Refusals are what ADK
// would refuse in it.
func ReadInvocations(p metric.Profile, n *yaml.Node) ([]metric.Invocation, []Refusal) {
	turns := []metric.Invocation{}
	for _, item := range n.List() {
		turns = append(turns, readInvocation(item))
	}
	return turns, Refusals(p, schema.ListOf(invocationType), n)
}

// ReadRubrics reads a list of rubrics as a case has them. Refusals are what ADK would
// refuse in it.
func ReadRubrics(p metric.Profile, n *yaml.Node) ([]metric.Rubric, []Refusal) {
	return readRubrics(n), Refusals(p, schema.ListOf(ownRubricType), n)
}

// ReadScenario reads what a simulated user is to do. Refusals are what ADK would
// refuse in it.
func ReadScenario(p metric.Profile, n *yaml.Node) (*metric.Scenario, []Refusal) {
	return readScenario(n), Refusals(p, scenarioType, n)
}

// ReadCriterion reads what is asked of a metric, a threshold or a mapping, as it
// stands under its name in a configuration. Refusals are that for which ADK would
// refuse the file or skip the metric.
func ReadCriterion(p metric.Profile, name string, n *yaml.Node) (metric.Criterion, []Refusal) {
	c := metric.Criterion{Metric: name}
	c.Threshold = readThreshold(n)
	if n.IsMap() {
		readOptions(&c, n)
	}
	table := criteriaTable.OtherValues
	if f := criteriaTable.Field(name); f != nil {
		table = f.Type
	}
	return c, Refusals(p, table, n)
}
