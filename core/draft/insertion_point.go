package draft

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// rubricSyntax is how a version writes the criteria of a case.
type rubricSyntax struct {
	key        string   // of the case, under which they or their grader are
	aliases    []string // older names of that key, the first that is there counts
	graderType string   // of their grader; "" where the criteria are the case's own
	listKey    string   // the key of the grader that they are under
	textKey    string   // the key of a criterion's text
}

// rubricSyntaxes are what a person writes today: versions read older forms too.
var rubricSyntaxes = map[agentv.Version]rubricSyntax{
	agentv.Seed:   {key: "rubrics", textKey: "expected_outcome"},
	agentv.Stable: {key: "assertions", aliases: []string{"assert", "evaluators"}, graderType: "rubrics", listKey: "criteria", textKey: "outcome"},
	agentv.Head:   {key: "assert", graderType: "llm-rubric", listKey: "value", textKey: "outcome"},
}

// insertionPoint is where the criteria of a case go.
type insertionPoint struct {
	part       *analysis.Chunk
	testCase   *rubric.Case // in spans of the part
	caseNode   *yaml.Node
	graderList *yaml.Node // the case's graders, which one is added to; nil where the key is not there yet
	rubricSyntax
}

// CheckDraftable says why no criteria are drafted for a case of a file; it is nil if
// some can be.
func CheckDraftable(a *analysis.Analysis, c *rubric.Case) error {
	_, err := findInsertionPoint(a, c)
	return err
}

// CheckDraftableIn is Declined of a case of a part.
func CheckDraftableIn(p *analysis.Chunk, c *rubric.Case) error {
	_, err := newInsertionPoint(p, c)
	return err
}

// findInsertionPoint is where the criteria of a case of a file go.
func findInsertionPoint(a *analysis.Analysis, c *rubric.Case) (insertionPoint, error) {
	p := a.ChunkAt(c.Span.Start)
	for _, candidate := range slices.Concat(p.Suite.Cases, p.Suite.Skipped) {
		if p.ToFile(candidate.Span) == c.Span && candidate.ID == c.ID {
			return newInsertionPoint(p, candidate)
		}
	}
	return insertionPoint{}, fmt.Errorf("the case `%s` does not stand where criteria can be added", c.ID)
}

func newInsertionPoint(p *analysis.Chunk, c *rubric.Case) (insertionPoint, error) {
	ip := insertionPoint{part: p, testCase: c, caseNode: mappingAt(p.Tree, c.Span), rubricSyntax: rubricSyntaxes[cmp.Or(p.Version, agentv.Seed)]}
	switch {
	case c.SourceFile != "":
		return ip, fmt.Errorf("the case `%s` stands in another file, `%s`", c.ID, c.SourceFile)
	case ip.caseNode == nil || len(ip.caseNode.Pairs) == 0:
		return ip, fmt.Errorf("the case `%s` does not stand where criteria can be added", c.ID)
	case c.Rubric() != nil:
		return ip, fmt.Errorf("the case `%s` has criteria already", c.ID)
	case c.ID == "" && !slices.Contains(p.Suite.Cases, c):
		return ip, errors.New("the runner skips a case without an id; add an `id` first")
	}
	if draftCase := ip.draftCase(); draftCase.ExpectedOutcome == "" && (p.Version != agentv.Head || draftCase.ReferenceAnswer == "") {
		return ip, fmt.Errorf("the case `%s` has no expected outcome to draft criteria from", c.ID)
	}
	ip, err := ip.findGraderList()
	if err == nil && !slices.Contains(p.Suite.Cases, c) && (p.Version != agentv.Head || ip.graderList != nil) { // Head's loader skips what nothing grades
		err = fmt.Errorf("the runner skips the case `%s`", c.ID)
	}
	return ip, err
}

// findGraderList looks where the case has its graders, if it has any.
func (ip insertionPoint) findGraderList() (insertionPoint, error) {
	if ip.graderType == "" {
		if ip.caseNode.Get(ip.key) != nil {
			return ip, fmt.Errorf("the case `%s` has `%s` already", ip.testCase.ID, ip.key)
		}
		return ip, nil
	}
	for _, key := range append([]string{ip.key}, ip.aliases...) {
		for _, holder := range []*yaml.Node{ip.caseNode, ip.caseNode.Get("execution")} {
			list := holder.Get(key)
			if list == nil {
				continue
			}
			if list.Kind != yaml.Sequence || list.Recovered {
				return ip, fmt.Errorf("the `%s` of the case `%s` are no list that one can be added to", key, ip.testCase.ID)
			}
			ip.graderList = list
			return ip, nil
		}
	}
	if ip.part.Version == agentv.Head && ip.caseNode.Get("criteria") != nil {
		return ip, errors.New("a test of this version has `criteria` or `assert`, and not both")
	}
	return ip, nil
}

// draftCase is the case as criteria are drafted for it. A test of the newest version
// says what a good answer does in its description.
func (ip insertionPoint) draftCase() *rubric.Case {
	c := *ip.testCase
	if ip.part.Version == agentv.Head && c.ExpectedOutcome == "" {
		c.ExpectedOutcome, _ = ip.caseNode.Get("description").Str()
	}
	return &c
}

// mappingAt is the mapping that has exactly a span; nil if there is none.
func mappingAt(t *yaml.Tree, span text.Span) *yaml.Node {
	for n := t.NodeAt(span.Start); n != nil; n = n.Parent {
		if n.Kind == yaml.Mapping && n.Span == span {
			return n
		}
	}
	return nil
}
