package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Invocations reads a list of turns as a case has them. Refusals are what ADK
// would refuse in it.
func Invocations(p metric.Profile, n *yaml.Node) ([]metric.Invocation, []Refusal) {
	turns := []metric.Invocation{}
	for _, item := range n.List() {
		turns = append(turns, invocation(item))
	}
	return turns, Refusals(p, schema.ListOf(invocationType), n)
}

// Rubrics reads a list of rubrics as a case has them. Refusals are what ADK would
// refuse in it.
func Rubrics(p metric.Profile, n *yaml.Node) ([]metric.Rubric, []Refusal) {
	return rubrics(n), Refusals(p, schema.ListOf(ownRubric), n)
}

// ScenarioOf reads what a simulated user is to do. Refusals are what ADK would
// refuse in it.
func ScenarioOf(p metric.Profile, n *yaml.Node) (*metric.Scenario, []Refusal) {
	return scenarioOf(n), Refusals(p, scenarioType, n)
}

// CriterionOf reads what is asked of a metric, a threshold or a mapping, as it
// stands under its name in a configuration. Refusals are that for which ADK would
// refuse the file or skip the metric.
func CriterionOf(p metric.Profile, name string, n *yaml.Node) (metric.Criterion, []Refusal) {
	c := metric.Criterion{Metric: name}
	c.Threshold = threshold(n)
	if n.IsMap() {
		options(&c, n)
	}
	wanted := criteriaType.OtherValues
	if f := criteriaType.Field(name); f != nil {
		wanted = f.Type
	}
	return c, Refusals(p, wanted, n)
}
