package action

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/analysis/rewrite"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint/rules/wording"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var criterionRefactorings = []refactoring{
	{
		Refactoring: Refactoring{ID: "criterion-to-mapping", Title: "write the criterion as a mapping"}, preservesMeaning: true,
		applies: func(ec editContext) (string, bool) {
			v, ok := ec.criterion()
			if !ok || v.Node.Kind != yaml.Scalar || !v.IsCriterion() || v.Node.IsNull() {
				return "", false
			}
			return anchorReason(v.Node), true
		},
		edits: func(ec editContext) ([]text.Edit, error) { return ec.mappingEdits(), nil },
	},
	{
		Refactoring: Refactoring{ID: "criterion-to-text", Title: "write the criterion as a text"}, preservesMeaning: true,
		applies: func(ec editContext) (string, bool) {
			v, ok := ec.criterion()
			if !ok || v.Node.Kind != yaml.Mapping || !syntax.AcceptsPlainText(v.Type) {
				return "", false
			}
			return ec.notTextReason(v.Node), true
		},
		edits: func(ec editContext) ([]text.Edit, error) { return ec.textEdits(), nil },
	},
	{
		Refactoring: Refactoring{ID: "split-criterion", Title: "split it into two criteria that share the weight"},
		applies: func(ec editContext) (string, bool) {
			v, _ := ec.criterion()
			c := ec.lookupCriterion(v.Node)
			if c == nil || !wording.AsksForTwo(c) {
				return "", false
			}
			if _, ok := ec.splitEdit(); !ok {
				return "it cannot be split: it has a comment or another key, or is written in brackets", true
			}
			return "", true
		},
		edits: func(ec editContext) ([]text.Edit, error) {
			edit, _ := ec.splitEdit()
			return []text.Edit{edit}, nil
		},
	},
}

func (ec editContext) splitEdit() (text.Edit, bool) {
	v, _ := ec.criterion()
	c := ec.lookupCriterion(v.Node)
	return wording.SplitCriterion(ec.chunk.Source, ec.chunk.Tree, c, ec.textKey())
}

func (ec editContext) textKey() string {
	return ec.termFor(agentv.InCriterion, "expected_outcome").Text
}

// anchorReason says why a node with an anchor or tag cannot be rewritten, or returns "".
func anchorReason(n *yaml.Node) string {
	if n.Props.Empty() {
		return ""
	}
	return "it has an anchor or a tag"
}

func (ec editContext) mappingEdits() []text.Edit {
	v, _ := ec.criterion()
	written := newPair{key: ec.textKey(), value: ec.scalarText(v.Node)}
	if v.Node.Parent.Style == yaml.Flow {
		return []text.Edit{{Span: v.Node.Span, New: ec.flowMapping([]newPair{written})}}
	}
	if written.value != ec.chunk.Source.Slice(v.Node.Span) {
		return []text.Edit{{Span: v.Node.Span, New: ec.formatPair(written, false)}}
	}
	at := text.Span{Start: v.Node.Span.Start, End: v.Node.Span.Start}
	return []text.Edit{{Span: at, New: strings.TrimSuffix(ec.formatPair(written, false), written.value)}}
}

// notTextReason says why a mapping cannot be written as its text, or returns "".
func (ec editContext) notTextReason(n *yaml.Node) string {
	if reason := anchorReason(n); reason != "" {
		return reason
	}
	for _, p := range n.Pairs {
		if p.Key.Value != ec.textKey() {
			return "it has another key: `" + facts.ShortLine(p.Key.Value) + "`"
		}
	}
	if len(n.Pairs) != 1 || n.Pairs[0].Value.IsNull() {
		return "it has no text"
	}
	return ""
}

func (ec editContext) textEdits() []text.Edit {
	v, _ := ec.criterion()
	value := v.Node.Pairs[0].Value
	if written := ec.scalarText(value); written != ec.chunk.Source.Slice(value.FullSpan()) {
		return []text.Edit{{Span: v.Node.Span, New: scalar.Quote(value.Value)}}
	}
	span := value.FullSpan()
	edits := []text.Edit{{Span: text.Span{Start: v.Node.Span.Start, End: span.Start}}}
	if span.End < v.Node.Span.End {
		edits = append(edits, text.Edit{Span: text.Span{Start: span.End, End: v.Node.Span.End}})
	}
	return edits
}

func extractRefactorings() []refactoring {
	return []refactoring{{
		Refactoring: Refactoring{ID: "extract-rubric", Title: "share the rubric with the cases that repeat it", IsExtract: true}, wholeFile: true,
		applies: func(ec editContext) (string, bool) {
			list := ec.criteriaList()
			if list == nil || list.Key == nil || ec.json {
				return "", false
			}
			words := ec.chunk.Source.Slice(list.Span)
			return "", strings.Count(ec.file.Body(), words) > 1
		},
		edits: editContext.extractEdits,
	}}
}

// extractEdits puts an anchor on the first of equal rubrics and replaces the others by aliases.
func (ec editContext) extractEdits() ([]text.Edit, error) {
	list := ec.criteriaList()
	words := ec.chunk.Source.Slice(list.Span)
	body := ec.file.Body()
	name := "rubric"
	for n := 2; strings.Contains(body, "&"+name); n++ {
		name = fmt.Sprintf("rubric-%d", n)
	}
	var edits []text.Edit
	for from := 0; ; {
		next := strings.Index(body[from:], words)
		if next < 0 {
			break
		}
		at := from + next
		from = at + len(words)
		p := ec.file.ChunkAt(at)
		equal := listValueAt(p.Tree, text.Span{Start: p.FromFile(at), End: p.FromFile(at) + len(words)}, list.Key.Key.Value)
		if equal == nil {
			continue
		}
		colon := equal.Key.Key.Span.End + len(":")
		switch {
		case len(edits) > 0 && equal.Anchor == "":
			span := text.Span{Start: colon, End: equal.Span.End}
			edits = append(edits, text.Edit{Span: p.ToFile(span), New: " *" + name})
		case equal.Anchor != "":
			return nil, errors.New("the rubric already has an anchor")
		default:
			edits = append(edits, text.Edit{Span: p.ToFile(text.Span{Start: colon, End: colon}), New: " &" + name})
		}
	}
	if len(edits) < 2 {
		return nil, errors.New("no other case has the same rubric")
	}
	return edits, nil
}

// listValueAt returns the list with exactly this span that is the block-style value of key, or nil.
func listValueAt(t *yaml.Tree, span text.Span, key string) *yaml.Node {
	for n := t.NodeAt(span.Start); n != nil; n = n.Parent {
		if n.Span == span && n.Kind == yaml.Sequence && n.Key != nil && n.Key.Key.Value == key && n.Parent.Style == yaml.Block &&
			strings.HasPrefix(t.Source.Slice(text.Span{Start: n.Key.Key.Span.End, End: n.Span.Start}), ":") {
			return n
		}
	}
	return nil
}

// allRefactorings are all refactorings in display order.
var allRefactorings = slices.Concat(criterionRefactorings, rangeRefactorings, scaleRefactorings, weightRefactorings(), extractRefactorings())

// Refactorings returns the refactorings relevant at an offset of a file, unverified.
func Refactorings(a *analysis.Analysis, offset int) (offered []Refactoring) {
	ec := newEditContext(a, offset)
	if ec.chunk.Tree.HasUnboundedAliases() {
		return nil
	}
	for _, r := range allRefactorings {
		if reason, ok := r.applies(ec); ok {
			r.DisabledReason = reason
			offered = append(offered, r.Refactoring)
		}
	}
	return offered
}

// Refactor returns the edits of a refactoring at an offset, in spans of the file. They are verified:
// no comment is lost, no error is added, and if the refactoring promises so, cases mean the same. An
// error says why there are none.
func Refactor(a *analysis.Analysis, offset int, id string) ([]text.Edit, error) {
	ec := newEditContext(a, offset)
	i := slices.IndexFunc(allRefactorings, func(r refactoring) bool { return r.ID == id })
	if i < 0 || ec.chunk.Tree.HasUnboundedAliases() {
		return nil, fmt.Errorf("there is no refactoring `%s` here", facts.ShortLine(id))
	}
	switch reason, ok := allRefactorings[i].applies(ec); {
	case !ok:
		return nil, errors.New("there is nothing here to change")
	case reason != "":
		return nil, errors.New(reason)
	}
	return ec.verifiedEdits(allRefactorings[i])
}

// verifiedEdits returns the verified edits of a refactoring, in spans of the file.
func (ec editContext) verifiedEdits(r refactoring) ([]text.Edit, error) {
	edits, err := r.edits(ec)
	switch {
	case err != nil:
	case r.wholeFile:
		err = verifyWholeFile(ec.file, edits)
	default:
		err = ec.verify(edits, r.preservesMeaning)
		edits = rewrite.PlaceEdits(ec.chunk, edits)
	}
	if err != nil {
		return nil, err
	}
	return edits, nil
}

// verify applies edits of the chunk and checks the result.
func (ec editContext) verify(edits []text.Edit, keeps bool) error {
	next, q, err := rewrite.TryEdits(ec.file, ec.chunk, edits)
	switch {
	case err != nil:
		return err
	case !rewrite.SameComments(ec.chunk.Tree, q.Tree):
		return errors.New("a comment would be lost")
	case len(q.Tree.Problems) > len(ec.chunk.Tree.Problems):
		return errors.New("the text would no longer parse")
	}
	before, now := caseFingerprints(ec.file, ec.chunk), caseFingerprints(next, q)
	switch {
	case len(before) != len(now):
		return errors.New("a case would be lost")
	case keeps && !slices.Equal(before, now):
		return errors.New("the grading would change")
	case next.CountErrors() > ec.file.CountErrors():
		return errors.New("the file would get a new error")
	}
	return nil
}

// verifyWholeFile checks edits that must not change any value of a file.
func verifyWholeFile(a *analysis.Analysis, edits []text.Edit) error {
	next := rewrite.ApplyEdits(a, edits)
	switch {
	case next.Tree().HasUnboundedAliases():
		return errors.New("the aliases would expand beyond the limit")
	case !rewrite.SameValues(a.Tree(), next.Tree()):
		return errors.New("a value would change, or a comment would be lost")
	case next.CountErrors() > a.CountErrors():
		return errors.New("the file would get a new error")
	}
	return nil
}

// caseFingerprints returns the meaning of a chunk's cases; for the header, the text around the
// cases, that of all cases.
func caseFingerprints(a *analysis.Analysis, p *analysis.Chunk) []string {
	suite := p.Suite
	if _, alone := syntax.ChunkSpan(a, p); !alone {
		suite = a.Suite()
	}
	return generic.Map(suite.AllCases(), (*rubric.Case).Fingerprint)
}
