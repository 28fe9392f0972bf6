package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const later = agentv.Later

// context is what a file's pieces are read in. It never changes.
type context struct {
	input   *Input
	memory  *lint.Memory
	others  *newer.Others // that the file refers to
	left    *int          // how many tests of those there is still room for: none, where rules look, for they look at each file by itself
	form    form
	role    agentv.Role
	adk     adk.Role       // cases: the file's
	version agentv.Version // of a later file

	text   string                // the frame's, or the sidecar's
	source *text.Source          // the same
	frame  *yaml.Tree            // of it, from text.Far on; nil for an undivided file
	key    *yaml.Node            // framed: the list's, in frame
	before map[string]*yaml.Node // listed: anchors that stand before the list
	sum    string                // what pieces depend on in it, where they do not refer to it
	own    *ownSchema            // listed: the author's, if there is one
}

// newContext is the context of a layout; nil if its text is not what it seemed
// when it was divided.
func newContext(in *Input, memory *lint.Memory, l *layout) *context {
	x := &context{input: in, memory: memory, form: l.form, others: &newer.Others{}, left: new(int)}
	switch {
	case l.form == listed:
		if !x.around(l) {
			return nil
		}
	case l.form == cases:
		if !x.aroundCases(l) {
			return nil
		}
	case agentv.Format(in.Path) == "jsonl":
		x.role = agentv.Cases
		if in.Sidecar != nil {
			x.text, x.sum = *in.Sidecar, *in.Sidecar
			x.source = text.New("", x.text)
			x.frame = far(yaml.Parse(x.source))
		}
	}
	return x
}

// around reads what stands around the list.
func (x *context) around(l *layout) bool {
	x.text = l.head + l.tail
	x.source = text.New(x.input.Path, x.text)
	x.frame = elided(x.source, l.key)
	if x.frame == nil {
		return false
	}
	root := x.frame.Root()
	if adk.RoleOf(x.input.Path, root) != adk.None {
		return false // its cases are no list of ours
	}
	x.role = agentv.RoleOf(x.input.Path, root, x.input.HasCases)
	if x.role == later {
		x.version = newer.VersionOf(root)
	}
	if (l.key == agentv.CasesKey) != (x.role == agentv.Eval) || x.role != agentv.Eval && x.role != later {
		return false
	}
	if x.own = dividedSchema(x.frame, x.input.Schemas, l.key); x.own.whole() {
		return false
	}
	x.before = x.frame.Anchors(len(l.head))
	x.frame = far(x.frame)
	x.key = root.Pair(l.key).Key
	x.sum = x.digest(l.key)
	return true
}

// elided is the tree of a file whose list has been taken out; nil if that is not
// what is left.
func elided(source *text.Source, key string) *yaml.Tree {
	t := yaml.Parse(source)
	pair := t.Root().Pair(key)
	if len(t.Docs) > 1 || !t.Root().IsMap() || pair == nil || pair.Value.Kind != yaml.Scalar || !pair.Value.IsNull() || !pair.Value.Span.Empty() {
		return nil
	}
	taken := *pair.Value
	taken.Kind, taken.Style, taken.Tag, taken.Recovered = yaml.Sequence, yaml.Block, yaml.TagSeq, true
	pair.Value = &taken
	return t
}

func far(t *yaml.Tree) *yaml.Tree {
	t.Move(func(span text.Span) text.Span { return span.Shift(text.Far) })
	return t
}

// digest is all of the frame that may make a difference to a case: anything but
// what the file says of itself.
func (x *context) digest(list string) string {
	var b strings.Builder
	b.WriteString(string(x.role) + " " + list + x.own.reference())
	for _, p := range x.frame.Root().Pairs {
		switch p.Key.Value {
		case list, "description", "name", "dataset", "tags", "metadata":
		default:
			b.WriteString("\n" + p.Key.Value + ": " + yaml.JSON(p.Value, ""))
		}
	}
	names := make([]string, 0, len(x.before))
	for name, n := range x.before {
		names = append(names, "\n&"+name+" "+yaml.JSON(n, ""))
	}
	slices.Sort(names)
	return b.String() + strings.Join(names, "")
}

// keeps reports whether what was found of a piece holds in this context.
func (x *context) keeps(c *checked) bool {
	y := c.context
	return x == y || x.form == y.form && x.version == y.version && x.sum == y.sum && (!c.refers || x.text == y.text)
}

// open reads a piece.
func (x *context) open(piece *piece) *Part {
	source := piece.source
	if x.source != nil {
		source = source.Beside(x.source)
	}
	switch x.form {
	case undivided:
		return x.recognise(source)
	case cases:
		p := x.ofADK(source, adk.ReadPart(x.adk, source, piece.last))
		p.Frame, p.key = x.frame, x.key
		return p
	}
	p := &Part{Source: source, Tree: x.parse(source), Frame: x.frame, Role: x.role, Version: x.version}
	p.Suite, p.key = x.lowerPart(p.Tree), x.key
	if x.form == lines {
		p.Version = newer.Of(p.Tree, p.Role)
	}
	p.Table = tables.FileOf(p.Role, p.Version).Type
	return p
}

func (x *context) parse(source *text.Source) *yaml.Tree {
	if x.form == listed {
		return yaml.ParsePart(source, x.before)
	}
	return yaml.ParseLines(source)
}

func (x *context) lowerPart(t *yaml.Tree) *rubric.Suite {
	switch {
	case x.form == lines:
		return x.lowerLines(t)
	case x.role == later:
		return x.reader().Part(x.frame, t)
	}
	return agentv.LowerPart(x.frame, t, x.input.stem())
}

// lowerLines reads lines of JSONL, which tell their version themselves.
func (x *context) lowerLines(t *yaml.Tree) *rubric.Suite {
	own := *x
	if own.version = newer.VersionOfLines(t); own.version != "" {
		return own.reader().Lines(t, x.frame)
	}
	return agentv.LowerLines(t, x.input.stem(), x.frame)
}

// reader reads files of a later version.
func (x *context) reader() newer.Reader {
	return newer.Reader{Version: x.version, Name: x.input.stem(), Files: x.input.Files, Others: x.others, Left: x.left}
}

// readWhole reads a file in one piece.
func readWhole(path string, source *text.Source) adk.File {
	if agentv.Format(path) == "jsonl" {
		return adk.File{Tree: yaml.ParseLines(source)}
	}
	return adk.Read(path, source)
}

// recognise reads a file in one piece, which says itself what it is.
func (x *context) recognise(source *text.Source) *Part {
	file := readWhole(x.input.Path, source)
	if file.Role != adk.None {
		return x.ofADK(source, file)
	}
	p := &Part{Source: source, Tree: file.Tree}
	own := *x
	p.Role = agentv.RoleOf(x.input.Path, p.Tree.Root(), x.input.HasCases)
	p.Version = newer.Of(p.Tree, p.Role)
	p.Table = tables.FileOf(p.Role, p.Version).Type
	own.version = p.Version
	switch own.role = p.Role; own.role {
	case agentv.Cases:
		p.Suite = x.lowerLines(p.Tree)
	case agentv.Listed, agentv.Scenarios:
		p.Suite = own.reader().List(p.Tree, p.Role)
	case later:
		p.Suite = own.lower(p.Tree)
	case agentv.Eval:
		p.Suite = own.lower(p.Tree)
	case agentv.Labels:
		p.Labelled = x.labelled()
		fallthrough
	default:
		p.Suite = &rubric.Suite{Dialect: agentv.Name, Name: x.input.stem()}
	}
	return p
}

// labelled are the cases of the eval file that a labels file is beside; nil if it
// is not there.
func (x *context) labelled() *rubric.Suite {
	if x.input.Files == nil {
		return nil
	}
	for _, name := range agentv.Labelled(x.input.Path) {
		if body, found := x.input.Files(name); found {
			return Of(Input{Path: name, Text: body, Files: x.input.Files}).Suite()
		}
	}
	return nil
}

// shape is where a part does not fit its table. Of YAML only the first document
// is read, of JSONL all that hold something.
func (p *Part) shape() (found []conform.Mismatch) {
	switch {
	case p.ADK != nil:
		return p.ADK.Misfits()
	case p.Tree.Endless() || p.Table == nil:
	case p.key != nil:
		found = conform.CheckValue(p.Table, p.key, p.Tree.Root())
	case p.Role == agentv.Cases:
		for _, doc := range p.Tree.Docs {
			if !doc.Root.IsNull() {
				found = append(found, conform.Check(p.Table, doc.Root)...)
			}
		}
	default:
		found = conform.Check(p.Table, p.Tree.Root())
	}
	return agentv.OtherVersions(cmp.Or(p.Version, agentv.Seed), found)
}

// pass is a part as rules see it.
func (x *context) pass(p *Part) lint.Pass {
	return lint.Pass{
		Path: x.input.Path, ADK: p.ADK, Source: p.Source, Tree: p.Tree, Frame: p.Frame, Suite: p.Suite, Role: string(p.Role), Shape: p.shape(), Memory: x.memory,
		Severities: x.input.Severities, Files: x.input.Files, Outside: x.input.Outside, Folder: x.input.Folder, Targets: x.input.Targets, Labelled: p.Labelled, Own: x.ownSchema(p),
	}
}
