package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// RubricList is rubrics that stand together: a criterion's, a case's or a turn's.
type RubricList struct {
	Metric  string      // whose criterion it is; "" for those of a case or turn
	Case    *RubricList // of a turn: those of its case, by which it is judged too
	Rubrics []PlacedRubric
}

// PlacedRubric is a rubric and where it stands. What is not there is nil.
type PlacedRubric struct {
	metric.Rubric
	Node, IDNode, TextNode, TypeNode *yaml.Node
}

// RubricLists are the lists of rubrics of an evalset or a configuration, in the
// order of the text.
func (f File) RubricLists() (all []*RubricList) {
	root := f.Tree.Root()
	switch {
	case f.Tree.Endless():
	case f.Role == Config:
		for _, c := range root.Get("criteria").Entries() {
			all = append(all, &RubricList{Metric: c.Key.Value, Rubrics: placed(c.Value.Get("rubrics"))})
		}
	case f.Role == EvalSet:
		for _, c := range f.caseList().List() {
			own := &RubricList{Rubrics: placed(get(c, "rubrics"))}
			all = append(all, own)
			for _, turn := range c.Get("conversation").List() {
				all = append(all, &RubricList{Case: own, Rubrics: placed(get(turn, "rubrics"))})
			}
		}
	}
	return all
}

// caseList is the list of an evalset's cases.
func (f File) caseList() *yaml.Node {
	if f.Part {
		return f.Tree.Root()
	}
	return get(f.Tree.Root(), CasesKey)
}

// Placed are the criterion's rubrics, with where they stand.
func (c *Criterion) Placed() []PlacedRubric { return placed(c.Node.Get("rubrics")) }

func placed(list *yaml.Node) (all []PlacedRubric) {
	read := rubrics(list)
	for i, n := range list.List() {
		all = append(all, PlacedRubric{
			Rubric: read[i], Node: n, IDNode: get(n, "rubric_id"), TypeNode: n.Get("type"), TextNode: get(get(n, "rubric_content"), "text_property"),
		})
	}
	return all
}

// MetricOf is the metric that rubrics of a type are for; "" for no such type.
func MetricOf(rubricType string) string { return metricsOfTypes[rubricType] }

// TypeFor is the type of the rubrics that a metric takes; "" for a metric without
// rubrics.
func TypeFor(name string) string {
	for kind, m := range metricsOfTypes {
		if m == name {
			return kind
		}
	}
	return ""
}

var metricsOfTypes = map[string]string{
	metric.FinalResponseQuality: metric.ResponseQuality,
	metric.ToolUseQuality:       metric.ToolQuality,
	trajectoryQuality:           dialogueQuality,
}

// The metric that this program does not measure, and its rubrics.
const (
	trajectoryQuality = "TRAJECTORY_QUALITY"
	dialogueQuality   = "rubric_based_multi_turn_trajectory_quality_v1"
)
