package draft

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// rubricSyntax is how a version of AgentV writes the criteria of a case.
type rubricSyntax struct {
	key        string   // key of the case that holds the criteria or their grader
	aliases    []string // older names of key; the first one present counts
	graderType string   // type of the grader; "" if the criteria belong to the case itself
	listKey    string   // key of the grader that holds the criteria
	textKey    string   // key of a criterion's text
}

// rubricSyntaxes lists the recommended form for each version. Parsers accept older forms too.
var rubricSyntaxes = map[agentv.Version]rubricSyntax{
	agentv.Seed: {key: "rubrics", textKey: "expected_outcome"},
	agentv.V4:   {key: "assertions", aliases: []string{"assert", "evaluators"}, graderType: "rubrics", listKey: "criteria", textKey: "outcome"},
	agentv.Head: {key: "assert", graderType: "llm-rubric", listKey: "value", textKey: "outcome"},
}

// insertionPoint is where the criteria of a case are inserted.
type insertionPoint struct {
	chunk      *analysis.Chunk
	testCase   *rubric.Case // spans are relative to the chunk
	agent      *rubric.Case // of a metric: what other files say about the agent; else nil
	caseNode   *yaml.Node
	graderList *yaml.Node // the case's graders, to be extended; nil if the key is missing
	emptyEntry *yaml.Pair // a key without criteria, to be replaced; nil if the key is missing
	rubricSyntax
}

// CheckDraftable returns an error that says why no criteria can be drafted for a case of a file, or
// nil.
func CheckDraftable(a *analysis.Analysis, c *rubric.Case) error {
	_, err := findInsertionPoint(a, c)
	return err
}

// CheckDraftableIn is CheckDraftable for a case of one chunk.
func CheckDraftableIn(p *analysis.Chunk, c *rubric.Case) error {
	if p.ADK != nil {
		_, err := newRubricPoint(nil, p, c)
		return err
	}
	_, err := newInsertionPoint(p, c)
	return err
}

// findInsertionPoint locates a case, given in spans of the file.
func findInsertionPoint(a *analysis.Analysis, c *rubric.Case) (insertionPoint, error) {
	p := a.ChunkAt(c.Span.Start)
	for _, candidate := range CasesIn(p) {
		if p.ToFile(candidate.Span) == c.Span && candidate.ID == c.ID {
			if p.ADK != nil {
				return newRubricPoint(a, p, candidate)
			}
			return newInsertionPoint(p, candidate)
		}
	}
	return insertionPoint{}, fmt.Errorf("the case `%s` is not written in a form that criteria can be added to", c.ID)
}

func newInsertionPoint(p *analysis.Chunk, c *rubric.Case) (insertionPoint, error) {
	ip := insertionPoint{chunk: p, testCase: c, caseNode: mappingAt(p.Tree, c.Span), rubricSyntax: rubricSyntaxes[cmp.Or(p.Version, agentv.Seed)]}
	switch {
	case c.SourceFile != "":
		return ip, fmt.Errorf("the case `%s` is in another file, `%s`", c.ID, c.SourceFile)
	case ip.caseNode == nil || len(ip.caseNode.Pairs) == 0:
		return ip, fmt.Errorf("the case `%s` is not written in a form that criteria can be added to", c.ID)
	case c.Rubric() != nil:
		return ip, fmt.Errorf("the case `%s` already has criteria", c.ID)
	case c.ID == "" && !slices.Contains(p.Suite.Cases, c):
		return ip, errors.New("the runner skips a case without an id; add an `id` first")
	}
	if draftCase := ip.draftCase(); draftCase.ExpectedOutcome == "" && (p.Version != agentv.Head || draftCase.ReferenceAnswer == "") {
		return ip, fmt.Errorf("the case `%s` has no expected outcome to draft criteria from", c.ID)
	}
	ip, err := ip.findGraderList()
	if err == nil && !slices.Contains(p.Suite.Cases, c) && (p.Version != agentv.Head || ip.graderList != nil) { // Head's loader skips cases without graders
		err = fmt.Errorf("the runner skips the case `%s`", c.ID)
	}
	return ip, err
}

// findGraderList sets the case's list of graders, if there is one.
func (ip insertionPoint) findGraderList() (insertionPoint, error) {
	if ip.graderType == "" {
		err := ip.findEmptyEntry("the case")
		return ip, err
	}
	for _, key := range append([]string{ip.key}, ip.aliases...) {
		for _, holder := range []*yaml.Node{ip.caseNode, ip.caseNode.Get("execution")} {
			list := holder.Get(key)
			if list == nil {
				continue
			}
			if list.Kind != yaml.Sequence || list.Recovered {
				return ip, fmt.Errorf("the `%s` of the case `%s` is not a list that can be extended", key, ip.testCase.ID)
			}
			ip.graderList = list
			return ip, nil
		}
	}
	if ip.chunk.Version == agentv.Head && ip.caseNode.Get("criteria") != nil {
		return ip, errors.New("a test of this version has either `criteria` or `assert`")
	}
	return ip, nil
}

// findEmptyEntry sets the key without criteria, if there is one. What is the case or the metric.
func (ip *insertionPoint) findEmptyEntry(what string) error {
	value := ip.caseNode.Get(ip.key)
	switch {
	case value == nil:
	case !isEmptyValue(value) || value.Parent != ip.caseNode:
		return fmt.Errorf("%s `%s` already has `%s`", what, ip.testCase.ID, ip.key)
	default:
		ip.emptyEntry = value.Key
	}
	return nil
}

// isEmptyValue reports whether a value is null or an empty list.
func isEmptyValue(n *yaml.Node) bool {
	return n.Kind != yaml.Alias && !n.Recovered && n.Props.Empty() && (n.IsNull() || n.IsSeq() && len(n.Items) == 0)
}

// draftCase returns the case to draft criteria for. In the newest version the expected outcome may
// be in the description.
func (ip insertionPoint) draftCase() *rubric.Case {
	if ip.agent != nil {
		return new(*ip.agent)
	}
	c := *ip.testCase
	if ip.chunk.Version == agentv.Head && c.ExpectedOutcome == "" {
		c.ExpectedOutcome = ip.caseNode.Get("description").Text()
	}
	return &c
}

// mappingAt returns the mapping with exactly this span, or nil.
func mappingAt(t *yaml.Tree, span text.Span) *yaml.Node {
	for n := t.NodeAt(span.Start); n != nil; n = n.Parent {
		if n.Kind == yaml.Mapping && n.Span == span {
			return n
		}
	}
	return nil
}

// newEntry returns the entry to write: a key of the case, or a grader for its list.
func (ip insertionPoint) newEntry(criteria []Criterion) entry {
	items := make([][]entry, len(criteria))
	for i, c := range criteria {
		if ip.chunk.ADK != nil {
			items[i] = ip.rubricItem(c)
			continue
		}
		items[i] = []entry{
			{key: "id", name: c.ID}, {key: ip.textKey, text: c.ExpectedOutcome},
			{key: "weight", value: c.Weight}, {key: "required", value: c.Required},
		}
	}
	if ip.graderType == "" {
		return entry{key: ip.key, list: items}
	}
	return entry{key: ip.key, list: [][]entry{{{key: "type", name: ip.graderType}, {key: ip.rubricSyntax.listKey, list: items}}}}
}

// candidateEdits returns edits that may insert e, in order of preference. Their spans are relative
// to the chunk.
func (ip insertionPoint) candidateEdits(e entry, st style) []text.Edit {
	switch {
	case ip.emptyEntry != nil:
		return []text.Edit{ip.replaceEmpty(e, st)}
	case ip.graderList != nil && ip.graderList.Style == yaml.Flow:
		m := ip.marginOf(ip.graderList, st)
		return []text.Edit{ip.insertInBrackets(ip.graderList, st.flowMapping(e.list[0], m), m)}
	case ip.graderList != nil:
		column := yaml.ColumnOf(ip.chunk.Source, ip.graderList)
		return ip.insertBelow(ip.graderList, st.itemLines(e.list[0], column), st)
	case ip.caseNode.Style == yaml.Flow:
		m := ip.marginOf(ip.caseNode, st)
		return []text.Edit{ip.insertInBrackets(ip.caseNode, st.flowEntry(e, m), m)}
	}
	return ip.insertBelow(ip.caseNode, st.blockLines(e, yaml.ColumnOf(ip.chunk.Source, ip.caseNode.Pairs[0].Key)), st)
}

// insertBelow returns edits that write lines after the last line of n. A comment on that line stays
// with it. The second edit goes after the blank lines that follow, because a block scalar may own
// those (`|+`).
func (ip insertionPoint) insertBelow(n *yaml.Node, lines []string, st style) []text.Edit {
	src := ip.chunk.Source
	last := src.OffsetLine(max(n.Span.End-1, n.Span.Start))
	blank := last
	for blank+1 < src.Lines() {
		next := src.LineSpan(blank + 1)
		if next.Start == len(src.Body) || strings.TrimSpace(src.Slice(next)) != "" {
			break
		}
		blank++
	}
	var edits []text.Edit
	for _, line := range []int{last, blank} {
		at := src.LineSpan(line).End
		edits = append(edits, text.Edit{Span: text.Span{Start: at, End: at}, New: st.newline + strings.Join(lines, st.newline)})
	}
	return edits
}

// replaceEmpty returns the edit that writes e over an entry without criteria. A comment on its line
// stays there.
func (ip insertionPoint) replaceEmpty(e entry, st style) text.Edit {
	span := ip.emptyEntry.Span()
	if ip.caseNode.Style == yaml.Flow {
		return text.Edit{Span: span, New: st.flowEntry(e, ip.marginOf(ip.caseNode, st))}
	}
	src := ip.chunk.Source
	lines := st.blockLines(e, yaml.ColumnOf(ip.chunk.Source, ip.emptyEntry.Key))
	rest := text.Span{Start: span.End, End: src.LineSpan(src.OffsetLine(span.End)).End}
	lines[0] = strings.TrimLeft(lines[0], " ") + src.Slice(rest)
	return text.Edit{Span: span.Cover(rest), New: strings.Join(lines, st.newline)}
}

// marginOf returns the indentation of the last entry in the brackets of n. It is the zero margin
// unless that entry starts a line.
func (ip insertionPoint) marginOf(n *yaml.Node, st style) margin {
	at := n.Span
	switch {
	case len(n.Pairs) > 0:
		at = n.Pairs[len(n.Pairs)-1].Span()
	case len(n.Items) > 0:
		at = n.Items[len(n.Items)-1].Span
	}
	own, first := ip.linePrefix(at)
	outer, _ := ip.linePrefix(n.Span)
	if !first || ip.chunk.Source.OffsetLine(at.Start) == ip.chunk.Source.OffsetLine(n.Span.Start) {
		return margin{}
	}
	unit, deeper := strings.CutPrefix(own, outer)
	if !deeper || unit == "" {
		unit = "  "
	}
	return margin{own, unit, st.newline}
}

// linePrefix returns the indentation of the line where a span starts, with dashes as spaces, and
// whether the span is the first thing on it.
func (ip insertionPoint) linePrefix(at text.Span) (blank string, first bool) {
	src := ip.chunk.Source
	line := src.Slice(src.LineSpan(src.OffsetLine(at.Start)))
	blank = line[:len(line)-len(strings.TrimLeft(line, " \t-"))]
	return strings.ReplaceAll(blank, "-", " "), src.LineSpan(src.OffsetLine(at.Start)).Start+len(blank) == at.Start
}

// insertInBrackets returns an edit that writes words before the closing bracket of n.
func (ip insertionPoint) insertInBrackets(n *yaml.Node, words string, m margin) text.Edit {
	body := ip.chunk.Source.Body
	at, sep := n.Span.Start+1, ""
	switch {
	case len(n.Pairs) > 0:
		at, sep = n.Pairs[len(n.Pairs)-1].Span().End, ","+m.separator()
	case len(n.Items) > 0:
		at, sep = n.Items[len(n.Items)-1].Span.End, ","+m.separator()
	}
	if rest := strings.TrimLeft(body[at:n.Span.End], " \t\r\n"); sep != "" && strings.HasPrefix(rest, ",") {
		at += strings.Index(body[at:], ",") + 1
		sep = m.separator()
	}
	return text.Edit{Span: text.Span{Start: at, End: at}, New: sep + words}
}
