package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// RubricList is rubrics that stand together: a criterion's, a case's or a turn's.
type RubricList struct {
	Metric  string      // whose criterion it is; "" for those of a case or turn
	Case    *RubricList // of a turn: those of its case, by which it is judged too
	Rubrics []LocatedRubric
}

// LocatedRubric is a rubric and where it stands. What is not there is nil.
type LocatedRubric struct {
	metric.Rubric
	Node, IDNode, TextNode, TypeNode *yaml.Node
}

// RubricLists are the lists of rubrics of an evalset or a configuration, in the
// order of the text.
func (f File) RubricLists() (all []*RubricList) {
	root := f.Tree.Root()
	switch {
	case f.Tree.HasUnboundedAliases():
	case f.Role == Config:
		for _, c := range root.Get("criteria").Entries() {
			all = append(all, &RubricList{Metric: c.Key.Value, Rubrics: locateRubrics(c.Value.Get("rubrics"))})
		}
	case f.Role == EvalSet:
		for _, c := range f.caseList().List() {
			own := &RubricList{Rubrics: locateRubrics(lookup(c, "rubrics"))}
			all = append(all, own)
			for _, turn := range c.Get("conversation").List() {
				all = append(all, &RubricList{Case: own, Rubrics: locateRubrics(lookup(turn, "rubrics"))})
			}
		}
	}
	return all
}

// caseList is the list of an evalset's cases.
func (f File) caseList() *yaml.Node {
	if f.IsChunk {
		return f.Tree.Root()
	}
	return lookup(f.Tree.Root(), CasesKey)
}

// LocatedRubrics are the criterion's rubrics, with where they stand.
func (c *Criterion) LocatedRubrics() []LocatedRubric { return locateRubrics(c.Node.Get("rubrics")) }

func locateRubrics(list *yaml.Node) (all []LocatedRubric) {
	read := readRubrics(list)
	for i, n := range list.List() {
		all = append(all, LocatedRubric{
			Rubric: read[i], Node: n, IDNode: lookup(n, "rubric_id"), TypeNode: n.Get("type"), TextNode: lookup(lookup(n, "rubric_content"), "text_property"),
		})
	}
	return all
}

// MetricForRubricType is the metric that rubrics of a type are for; "" for no such type.
func MetricForRubricType(rubricType string) string { return metricByRubricType[rubricType] }

// RubricTypeForMetric is the type of the rubrics that a metric takes; "" for a metric without
// rubrics.
func RubricTypeForMetric(name string) string {
	for kind, m := range metricByRubricType {
		if m == name {
			return kind
		}
	}
	return ""
}

var metricByRubricType = map[string]string{
	metric.FinalResponseQuality: metric.ResponseQuality,
	metric.ToolUseQuality:       metric.ToolQuality,
	trajectoryQualityType:       dialogueQualityMetric,
}

// The metric that this program does not measure, and its rubrics.
const (
	trajectoryQualityType = "TRAJECTORY_QUALITY"
	dialogueQualityMetric = "rubric_based_multi_turn_trajectory_quality_v1"
)
