package action

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/analysis/rewrite"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// A ManualChange is a key or type that migration cannot rename.
type ManualChange struct {
	Span   text.Span // in the file
	Reason string
}

// Migrate returns edits, in spans of the file, that rename keys and grader types to those of another
// version. Minimum scores are converted. The edits are verified to change nothing else.
//
// manual lists what is left to do by hand: keys with another place or form there. An error says why
// there are no edits.
func Migrate(a *analysis.Analysis, to agentv.Version) (edits []text.Edit, manual []ManualChange, err error) {
	if a.Role() != agentv.Eval && a.Role() != agentv.EvalV4 && a.Role() != agentv.Cases {
		return nil, nil, errors.New("only files with cases can be migrated")
	}
	m := &migration{from: cmp.Or(a.Version(), agentv.Seed), to: to}
	for p := range a.Chunks {
		syntax.WalkValues(p, func(v syntax.Value) {
			m.renameKey(p, v)
			m.renameType(p, v)
		})
	}
	if len(m.edits) == 0 {
		return nil, m.manual, fmt.Errorf("nothing here has a different name in %s", to)
	}
	if err := m.verify(a); err != nil {
		return nil, nil, err
	}
	return m.edits, m.manual, nil
}

// ManualChangesNote describes in one line what [Migrate] leaves to do by hand, or returns "".
func ManualChangesNote(a *analysis.Analysis, to agentv.Version) string {
	_, manual, _ := Migrate(a, to)
	if len(manual) == 0 {
		return ""
	}
	line := a.Source().OffsetPosition(manual[0].Span.Start, text.UTF16).Line + 1
	return fmt.Sprintf("%d more to rewrite by hand, first on line %d: %s", len(manual), line, manual[0].Reason)
}

type migration struct {
	from, to agentv.Version
	edits    []text.Edit
	manual   []ManualChange
}

func (m *migration) addManual(span text.Span, format string, args ...any) {
	m.manual = append(m.manual, ManualChange{span, fmt.Sprintf(format, args...)})
}

func (m *migration) renameKey(p *analysis.Chunk, v syntax.Value) {
	scope, known := agentv.ScopeOf(v.Owner)
	if v.Pair == nil || !known || v.Pair.Key.Kind != yaml.Scalar || agentv.LookupConcept(v.Pair.Key.Value, scope) == nil || m.hasOtherMeaning(v, scope) {
		return
	}
	key := v.Pair.Key
	name, asIs, ok := agentv.PreferredTermFor(key.Value, scope, m.to)
	least, converts := convertMinimum(v.Node, key.Value, m.from, name)
	switch span := p.ToFile(key.Span); {
	case ok && name.Text == key.Value && name.Scope == scope:
	case !ok:
		m.addManual(span, "%s has no counterpart of `%s`", m.to, facts.ShortLine(key.Value))
	case !asIs && !(converts && name.Scope == scope):
		m.addManual(span, "`%s` is `%s` in %s, in a different place or form", facts.ShortLine(key.Value), name.Text, m.to)
	case v.Node.Parent.Pair(name.Text) != nil:
		m.addManual(span, "`%s` is `%s` in %s, which is also present", facts.ShortLine(key.Value), name.Text, m.to)
	default:
		m.renameScalar(p, key, name.Text)
		if !asIs {
			m.edits = append(m.edits, text.Edit{Span: p.ToFile(v.Node.Span), New: least})
		}
	}
}

// hasOtherMeaning reports whether a key does not mean here what it means in other versions. For
// example, only model graders have a rubric as `value`.
func (m *migration) hasOtherMeaning(v syntax.Value, scope agentv.Scope) bool {
	key := v.Pair.Key.Value
	if name, _, _ := agentv.PreferredTermFor("rubrics", agentv.InGrader, m.from); scope == agentv.InGrader && key == name.Text {
		return agentv.LookupConcept(v.Node.Parent.Get("type").Text(), agentv.InType) != agentv.LookupConcept("llm_judge", agentv.InType)
	}
	return v.Field != nil && v.Field.RemovedIn == "" && !slices.Contains(agentv.VersionsReading(key, scope), m.from)
}

// renameScalar replaces the text of a scalar, keeping its quotes.
func (m *migration) renameScalar(p *analysis.Chunk, n *yaml.Node, to string) {
	m.edits = append(m.edits, text.Edit{Span: p.ToFile(n.Span), New: scalar.FormatLike(n, to)})
}

// convertMinimum converts a minimum score between the scales 0–1 and 0–10.
func convertMinimum(n *yaml.Node, key string, from agentv.Version, to agentv.Term) (written string, ok bool) {
	number, isNumber := n.Number()
	share, _, _ := agentv.ReadableTermFor(key, agentv.InCriterion, from)
	if !isNumber || n.Kind != yaml.Scalar || share.IsShare() == to.IsShare() {
		return "", false
	}
	if to.IsShare() {
		return strconv.FormatFloat(number/10, 'f', -1, 64), number > 0 && number <= 10
	}
	ten := math.Round(number*10*1e6) / 1e6
	return strconv.FormatFloat(ten, 'f', -1, 64), ten == math.Trunc(ten)
}

func (m *migration) renameType(p *analysis.Chunk, v syntax.Value) {
	if v.Pair == nil || v.Field == nil || v.Field.Key != "type" || v.Node.Kind != yaml.Scalar {
		return
	}
	if scope, _ := agentv.ScopeOf(v.Owner); scope != agentv.InGrader && !strings.HasPrefix(v.Owner.Name, "aggregator") {
		return
	}
	name, _, ok := agentv.PreferredTermFor(v.Node.Value, agentv.InType, m.to)
	switch {
	case agentv.LookupConcept(v.Node.Value, agentv.InType) == nil || ok && name.Text == v.Node.Value:
	case !ok:
		m.addManual(p.ToFile(v.Node.Span), "%s has no graders of the type `%s`", m.to, facts.ShortLine(v.Node.Value))
	default:
		m.renameScalar(p, v.Node, name.Text)
	}
}

// verify checks that only the edited scalars change.
func (m *migration) verify(a *analysis.Analysis) error {
	edited := map[text.Span]bool{}
	for _, e := range m.edits {
		edited[e.Span] = true
	}
	was, now := a.Tree(), rewrite.ApplyEdits(a, m.edits).Tree()
	same := rewrite.SameComments(was, now) && len(now.Problems) <= len(was.Problems) && slices.EqualFunc(was.Docs, now.Docs, func(x, y *yaml.Document) bool {
		return equalExcept(x.Root, y.Root, edited)
	})
	if !same {
		return errors.New("the migration would change more than names")
	}
	return nil
}

// equalExcept reports whether two trees are equal except for scalars of x at the edited spans.
func equalExcept(x, y *yaml.Node, edited map[text.Span]bool) bool {
	switch {
	case x.Kind != y.Kind || x.Anchor != y.Anchor || x.Style != y.Style && x.Kind != yaml.Scalar:
		return false
	case x.Kind == yaml.Scalar || x.Kind == yaml.Alias:
		return x.Value == y.Value && x.Tag == y.Tag || edited[x.Span]
	}
	return slices.EqualFunc(x.Items, y.Items, func(x, y *yaml.Node) bool { return equalExcept(x, y, edited) }) &&
		slices.EqualFunc(x.Pairs, y.Pairs, func(x, y *yaml.Pair) bool {
			return equalExcept(x.Key, y.Key, edited) && equalExcept(x.Value, y.Value, edited)
		})
}
