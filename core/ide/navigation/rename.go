package navigation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/naming"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
)

var errNoName = errors.New("there is nothing to rename here; ids of cases and criteria, evaluators, targets and anchors can be renamed")

// RenameableAt returns the name at an offset. An error says why it cannot be renamed.
func RenameableAt(f *ide.File, offset int) (r ide.Renameable, err error) {
	p := f.ChunkAt(offset)
	found, use, ok := naming.NameAt(p, p.FromFile(offset))
	if name, eval, _ := labelledCriterion(f, offset, f.Host.OtherFiles()); eval != nil {
		return ide.Renameable{Range: f.SpanRange(name), Placeholder: f.Source().Slice(name)}, nil
	}
	switch {
	case !ok:
		return r, ide.Refuse(errNoName)
	case found.Kind == naming.AnchorName && found.Scope < 0:
		return r, ide.Refuse(errors.New("this alias has no anchor: `&" + found.Text + "` is not defined before it"))
	}
	return ide.Renameable{Range: f.SpanRange(p.ToFile(use.Span)), Placeholder: found.Text}, nil
}

// RenameAt returns the edits that rename the name at an offset in all files. Quotes are kept. An
// error says why the new name is not possible.
//
// If one file declares the name twice by mistake, only the declaration under the cursor is renamed.
func RenameAt(f *ide.File, offset int, to string) (edit ide.WorkspaceEdit, err error) {
	if _, err := RenameableAt(f, offset); err != nil {
		return edit, err
	}
	others := f.Host.OtherFiles()
	if _, eval, at := labelledCriterion(f, offset, others); eval != nil {
		f, offset, others = eval, at, append(others, f)
	}
	p := f.ChunkAt(offset)
	name, use, _ := naming.NameAt(p, p.FromFile(offset))
	if name.Text == to {
		return edit, nil
	}
	if err = validate(name, to); err == nil {
		err = checkConflict(name, p, use, to, append([]*ide.File{f}, others...))
	}
	if err != nil {
		return edit, ide.Refuse(err)
	}
	uses, fault := usesAt(f, offset, others)
	switch {
	case fault != nil:
		return edit, ide.Refuse(fmt.Errorf("a file that may use the name cannot be analysed: %w", fault))
	case use.IsDeclaration && slices.Contains([]naming.NameKind{naming.CaseName, naming.CriterionName, naming.GraderName}, name.Kind):
		uses = withoutDuplicates(uses, f, p.ToFile(use.Span))
	case name.Kind == naming.CaseName && countDeclarations(uses) > 1:
		return edit, ide.Refuse(fmt.Errorf("there are several cases `%s`; rename the intended one at its own id", facts.ShortLine(name.Text)))
	}
	for len(uses) > 0 { // the uses of each file are in a row
		var edits []text.Edit
		file := uses[0].file
		for ; len(uses) > 0 && uses[0].file == file; uses = uses[1:] {
			edits = append(edits, uses[0].renameEdit(name.Kind, to))
		}
		file.AddEdits(&edit, edits)
	}
	return edit, nil
}

// withoutDuplicates drops other declarations of the same name. If one is in the same file, it also
// drops all references, because they are ambiguous.
func withoutDuplicates(uses []locatedUse, file *ide.File, span text.Span) (left []locatedUse) {
	hasDuplicates := slices.ContainsFunc(uses, func(u locatedUse) bool { return u.IsDeclaration && u.file == file && u.span != span })
	for _, u := range uses {
		if u.file == file && u.span == span || !u.IsDeclaration && !hasDuplicates {
			left = append(left, u)
		}
	}
	return left
}

func (lu locatedUse) renameEdit(kind naming.NameKind, to string) text.Edit {
	if kind == naming.AnchorName || lu.Node == nil {
		return text.Edit{Span: lu.span, New: to}
	}
	return text.Edit{Span: lu.chunk.ToFile(lu.Node.Span), New: scalar.FormatLike(lu.Node, to)}
}

// validAnchor matches anchors that every YAML parser accepts.
var validAnchor = pattern.New(`^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$`)

// validVariable matches names of template variables.
var validVariable = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// validate returns an error if text cannot be a name of this kind.
func validate(n naming.Name, to string) error {
	switch {
	case strings.TrimSpace(to) == "":
		return errors.New("a name cannot be empty")
	case strings.TrimSpace(to) != to || strings.ContainsAny(to, "\n\r\t"):
		return errors.New("a name cannot start or end with a space, or contain a line break")
	case n.Kind == naming.VariableName && !validVariable().MatchString(to):
		return fmt.Errorf("`%s` cannot be a variable: use letters, digits and `_`, not starting with a digit", facts.ShortLine(to))
	case n.Kind == naming.AnchorName && !validAnchor().MatchString(to):
		return fmt.Errorf("`%s` cannot be an anchor: use letters, digits, `_`, `-` and `.`", facts.ShortLine(to))
	}
	return nil
}

// checkConflict returns an error if the new name is already taken.
func checkConflict(n naming.Name, p *analysis.Chunk, use naming.Use, to string, files []*ide.File) error {
	other := n
	other.Text = to
	switch n.Kind {
	case naming.AnchorName:
		if hasAnchor(files[0].Analysis, to) {
			return fmt.Errorf("this file already has an anchor `%s`", to)
		}
	case naming.CriterionName:
		return checkCriterionID(p, use, to)
	case naming.GraderName:
		if len(naming.Uses(p, other)) > 0 {
			return fmt.Errorf("another evaluator of this list is already called `%s`", facts.ShortLine(to))
		}
	default:
		for _, f := range files {
			switch taken := countDeclarations(usesInFile(f, nil, other)) > 0; {
			case taken && f != files[0]:
				return fmt.Errorf("there is already a %s `%s` in another file", n.Kind, facts.ShortLine(to))
			case taken:
				return fmt.Errorf("there is already a %s `%s`", n.Kind, facts.ShortLine(to))
			}
		}
	}
	return nil
}

// hasAnchor reports whether a file declares an anchor, in any scope.
func hasAnchor(a *analysis.Analysis, name string) (found bool) {
	search := nameSearch{file: a}
	search.addMatching("&" + name)
	for _, p := range search.chunks {
		naming.VisitNames(p, func(n naming.Name, u naming.Use) {
			found = found || n.Kind == naming.AnchorName && n.Text == name && u.IsDeclaration
		})
	}
	return found
}

// checkCriterionID returns an error if a criterion of the same rubric has the id. Criteria without
// an id are numbered, and count too.
func checkCriterionID(p *analysis.Chunk, use naming.Use, to string) error {
	for _, item := range use.Node.Parent.Parent.Items {
		if id := item.Get("id"); id != use.Node && id.Follow() != nil && id.Follow().Value == to {
			return fmt.Errorf("a criterion of this rubric is already called `%s`", facts.ShortLine(to))
		}
	}
	for g := range p.Suite.Graders() {
		numbered := slices.ContainsFunc(g.Criteria, func(c *rubric.Criterion) bool { return c.AutoID && c.ID == to })
		if numbered && slices.ContainsFunc(g.Criteria, func(c *rubric.Criterion) bool { return c.IDSpan == use.Node.Span }) {
			return fmt.Errorf("a criterion of this rubric without an id is already numbered `%s`", to)
		}
	}
	return nil
}
