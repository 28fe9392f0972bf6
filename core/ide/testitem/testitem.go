// Package testitem lists what can run in a file, as the tree of a test explorer.
package testitem

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/inlay"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// An Item is a suite, a case, a criterion or a metric.
type Item struct {
	ID          string            `json:"id"`
	Kind        string            `json:"kind"` // suite, case, criterion or metric
	Label       string            `json:"label"`
	Range       *text.Range       `json:"range,omitzero"` // where the item is shown; nil if it is in another file
	ResultRange *text.Range       `json:"told,omitzero"`  // where to show its result, if not at Range
	Target      ide.CommandTarget `json:"target"`         // the argument of the run commands
	Children    []Item            `json:"children"`
	HasMore     bool              `json:"more,omitzero"`   // a case whose children are left out; a request with its id has them
	Result      *Result           `json:"result,omitzero"` // nil if it has none
	Run         *ide.RunNames     `json:"run,omitzero"`    // of the suite
}

// Result is the result of an item in the last run.
type Result struct {
	State   string `json:"state"`
	Text    string `json:"text"` // in a few words
	Message string `json:"message,omitzero"`
	Stale   bool   `json:"stale,omitzero"` // an input has changed since
}

// Selection selects cases: by id, or those that touch a range. The zero value selects all.
type Selection struct {
	Case  string      `json:"case"`
	Range *text.Range `json:"range"`
}

func (s Selection) includes(f *ide.File, c *rubric.Case) bool {
	return (s.Case == "" || c.ID == s.Case) && (s.Range == nil || c.Span.Meets(f.Span(*s.Range, f.Client.Encoding)))
}

// maxWhole is the number of cases from which a file's tree leaves out their children.
const maxWhole = 300

// Tree returns the test tree of a file, or nil without cases.
func Tree(f *ide.File, selected Selection) *Item {
	suite := f.Host.Suite()
	if len(suite.Cases) == 0 {
		return nil
	}
	start := text.Range{}
	root := &Item{ID: f.URI, Kind: "suite", Label: suite.Name, Range: &start, Target: ide.CommandTarget{URI: f.URI}, Children: []Item{}}
	t := tree{file: f, ids: IDs{}, whole: selected != Selection{} || len(suite.Cases) <= maxWhole}
	for _, c := range suite.Cases {
		id := t.ids.New(f.URI, c.ID)
		if selected.includes(f, c) {
			root.Children = append(root.Children, t.caseItem(c, id, cmp.Or(c.Title, c.ID, suite.Name)))
		}
	}
	return root
}

// tree makes the items of a file.
type tree struct {
	file  *ide.File
	ids   IDs
	whole bool // cases have their children
}

func (t *tree) caseItem(c *rubric.Case, id, label string) Item {
	f := t.file
	head := f.SpanRange(c.SelectionSpan)
	item := Item{ID: id, Kind: "case", Label: label, Range: &head, Target: ide.CommandTarget{URI: f.URI, Case: c.ID}, Children: []Item{}}
	if !t.whole {
		item.HasMore = len(c.Graders) > 0
	} else {
		t.addCriteria(c, &item)
	}
	if last := f.Host.LastRun(c, ""); last != nil {
		t.addResults(&item, last)
	}
	return item
}

// addResults adds the results of a case to its item and its children.
func (t *tree) addResults(item *Item, last *ide.LastRun) {
	outcome := last.Outcome()
	results := map[string]*Result{}
	for _, r := range report.Items(last.Record, 0) {
		results[ID(t.file.URI, r.Path...)] = &Result{State: r.State, Text: r.State, Message: r.Message, Stale: outcome.Stale}
	}
	if item.Result = results[item.ID]; item.Result != nil {
		item.Result.Text = facts.Summarise(outcome)
	}
	for i, child := range item.Children {
		result := results[child.ID]
		if g := outcome.FindGrade(child.Target.Grader, child.Target.Criterion); g != nil && result != nil {
			result.Text, result.Stale = inlay.GradeLabel(*g), g.Stale
		}
		item.Children[i].Result = result
	}
}

// addCriteria adds the criteria and metrics of graders and their members to the case's item.
func (t *tree) addCriteria(c *rubric.Case, item *Item) {
	f := t.file
	for g := range rubric.Walk(c.Graders) {
		if g.Kind == rubric.Metric {
			item.Children = append(item.Children, Item{
				ID: t.ids.New(f.URI, c.ID, g.Name), Kind: "metric", Label: g.Name, Range: item.Range,
				Target: item.Target, Children: []Item{},
			})
		}
		for _, criterion := range g.Criteria {
			child := Item{
				ID: t.ids.New(f.URI, c.ID, g.Name, criterion.ID), Kind: "criterion", Label: criterion.DisplayName(),
				Target: ide.CommandTarget{URI: f.URI, Case: c.ID, Grader: g.Name, Criterion: criterion.ID}, Children: []Item{},
			}
			if span := criterion.DisplaySpan(); span.Start < f.Length() {
				rng := f.SpanRange(span)
				child.Range = &rng
				// inlay hints are at the end of the criterion's text
				if textRange := f.SpanRange(criterion.TextSpan); textRange.Start.Line > rng.End.Line {
					child.ResultRange = &textRange
				}
			}
			item.Children = append(item.Children, child)
		}
	}
}

// IDs counts how often each id was given.
type IDs map[string]int

// New returns the id of the next item with these names, as [ID] does. The second one has the suffix
// `~2`, because test explorers refuse equal ids; results of runs are those of the first.
func (ids IDs) New(uri string, path ...string) string {
	id := ID(uri, path...)
	ids[id]++
	if n := ids[id]; n > 1 {
		return fmt.Sprintf("%s~%d", id, n)
	}
	return id
}

// ID identifies a file, a case or a criterion by URI, case id, grader name and criterion id. It is stable
// while these do not change.
func ID(uri string, path ...string) string {
	for i, name := range path {
		uri += "#/"[min(i, 1):][:1] + escaper.Replace(name)
	}
	return uri
}

var escaper = strings.NewReplacer("%", "%25", "/", "%2F")
