package adk

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// RubricList is a list of rubrics of a criterion, a case or a turn.
type RubricList struct {
	Metric      string // the criterion's metric; "" for a case or turn
	IsTurn      bool
	CaseRubrics []LocatedRubric // of a turn: those of its case, which apply too
	Rubrics     []LocatedRubric
}

// LocatedRubric is a rubric with its nodes. Absent nodes are nil.
type LocatedRubric struct {
	metric.Rubric
	Node, IDNode, TextNode, TypeNode *yaml.Node
}

// RubricLists returns the lists of rubrics of an evalset or a configuration, in file order.
func (f File) RubricLists() (all []*RubricList) {
	root := f.Tree.Root()
	switch {
	case f.Tree.HasUnboundedAliases():
	case f.Role == Config:
		for _, c := range root.Get("criteria").Entries() {
			all = append(all, &RubricList{Metric: c.Key.Value, Rubrics: locateRubrics(c.Value.Get("rubrics"))})
		}
	case f.Role == EvalSet:
		cases := lookup(root, CasesKey)
		if f.IsChunk {
			cases = root
		}
		for _, c := range cases.List() {
			own := &RubricList{Rubrics: locateRubrics(lookup(c, "rubrics"))}
			all = append(all, own)
			for _, turn := range c.Get("conversation").List() {
				all = append(all, &RubricList{IsTurn: true, CaseRubrics: own.Rubrics, Rubrics: locateRubrics(lookup(turn, "rubrics"))})
			}
		}
	}
	return all
}

// LocatedRubrics returns the criterion's rubrics with their nodes.
func (c *Criterion) LocatedRubrics() []LocatedRubric { return locateRubrics(c.Node.Get("rubrics")) }

// LocateRubrics returns the rubrics of a list as criteria.
func LocateRubrics(list *yaml.Node) []*rubric.Criterion {
	return generic.Map(locateRubrics(list), LocatedRubric.toDomain)
}

func locateRubrics(list *yaml.Node) (all []LocatedRubric) {
	rubrics := readRubrics(list)
	for i, n := range list.List() {
		all = append(all, LocatedRubric{
			Rubric: rubrics[i], Node: n, IDNode: lookup(n, "rubric_id"), TypeNode: n.Get("type"), TextNode: lookup(lookup(n, "rubric_content"), "text_property"),
		})
	}
	return all
}

// Graders returns the rubrics of an evalset or a configuration in the domain model: a grader for
// each criterion, and for each type of rubrics of a case or turn, named by its metric. Those of a
// turn include the rubrics of its case.
func (f File) Graders() (all []*rubric.Grader) {
	known := map[*yaml.Node]*rubric.Criterion{}
	for _, list := range f.RubricLists() {
		first, rubrics := len(all), list.Rubrics
		if len(rubrics) > 0 {
			rubrics = slices.Concat(list.CaseRubrics, rubrics)
		}
		for _, r := range rubrics {
			name := cmp.Or(list.Metric, MetricForRubricType(r.Type))
			at := first + slices.IndexFunc(all[first:], func(g *rubric.Grader) bool { return g.Name == name })
			if at < first {
				at = len(all)
				all = append(all, &rubric.Grader{Name: name, Kind: rubric.LLMJudge})
			}
			if known[r.Node] == nil {
				known[r.Node] = r.toDomain()
			}
			all[at].Criteria = append(all[at].Criteria, known[r.Node])
		}
	}
	return all
}

// toDomain returns the rubric as a criterion. All rubrics of a metric have the same weight, and none
// is a gate.
func (r LocatedRubric) toDomain() *rubric.Criterion {
	return &rubric.Criterion{
		ID: r.ID, AutoID: r.IDNode == nil, Text: r.Text, Weight: 1, Required: new(bool),
		Span: r.Node.Span, IDSpan: generic.OrZero(r.IDNode).Span, TextSpan: generic.OrZero(r.TextNode).Span,
	}
}

// MetricForRubricType returns the metric for rubrics of a type, or "".
func MetricForRubricType(rubricType string) string { return metricByRubricType[rubricType] }

// RubricTypeForMetric returns the type of a metric's rubrics, or "" for a metric without rubrics.
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
	metric.WholeTrajectory:      metric.TrajectoryQuality,
}

// MetricNames returns the names of ADK's metrics.
func MetricNames() []string { return criteriaTable.Keys() }

// RubricTypes returns the types of rubrics in a case or turn.
func RubricTypes() []string { return schema.Texts(rubricTypeNames.KnownValues) }

// IsInformational reports whether ADK reports the figure for every run without a threshold.
func IsInformational(name string) bool { return informationalMetrics[name] }

// CustomNames returns the names of custom metrics, sorted.
func (s *Settings) CustomNames() []string { return slices.Sorted(maps.Keys(s.Custom)) }

// IsKnownMetric reports whether a metric is built in or custom.
func (s *Settings) IsKnownMetric(name string) bool {
	_, own := s.Custom[name]
	return own || criteriaTable.Field(name) != nil || name == metric.ToolParameters
}

// Criterion returns the criterion of a metric, or nil if it is not measured.
func (s *Settings) Criterion(name string) *Criterion {
	for i := range s.Criteria {
		if s.Criteria[i].Metric == name {
			return &s.Criteria[i]
		}
	}
	return nil
}

// SupportsTurnList reports whether ADK's test runner supports a metric for a list of turns, the
// oldest form.
func SupportsTurnList(name string) bool {
	return slices.Contains([]string{metric.ToolTrajectory, metric.ResponseMatch, metric.Safety, coherenceMetric}, name)
}

// CutSelection splits an argument in the syntax of `adk eval`, PATH or PATH:ID,ID. It ignores everything
// after a second colon. The colon of a Windows drive does not separate.
func CutSelection(arg string) (path string, ids []string) {
	drive := ""
	if len(arg) > 2 && arg[1] == ':' && (arg[2] == '\\' || arg[2] == '/') {
		drive, arg = arg[:2], arg[2:]
	}
	path, list, _ := strings.Cut(arg, ":")
	list, _, _ = strings.Cut(list, ":")
	for id := range strings.SplitSeq(list, ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return drive + path, ids
}
