package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const laterRole = agentv.NewerEval

// chunkContext is what a file's pieces are read in. It never changes.
type chunkContext struct {
	input      *Input
	memory     *lint.Cache
	otherFiles *v4.FileCache // that the file refers to
	testBudget *int          // how many tests of those there is still room for: none, where rules look, for they look at each file by itself
	division   division
	role       agentv.Role
	adk        adk.Role       // cases: the file's
	version    agentv.Version // of a later file

	headerText   string                // the frame's, or the sidecar's
	headerSource *text.Source          // the same
	header       *yaml.Tree            // of it, from text.Far on; nil for an undivided file
	listKey      *yaml.Node            // framed: the list's, in frame
	anchors      map[string]*yaml.Node // listed: anchors that stand before the list
	digest       string                // what pieces depend on in it, where they do not refer to it
	userSchema   *userSchema           // listed: the author's, if there is one
}

// newChunkContext is the context of a layout; nil if its text is not what it seemed
// when it was divided.
func newChunkContext(in *Input, memory *lint.Cache, l *layout) *chunkContext {
	cc := &chunkContext{input: in, memory: memory, division: l.division, otherFiles: &v4.FileCache{}, testBudget: new(int)}
	switch {
	case l.division == yamlList:
		if !cc.readHeader(l) {
			return nil
		}
	case l.division == adkCases:
		if !cc.readADKHeader(l) {
			return nil
		}
	case agentv.CaseFormat(in.Path) == "jsonl":
		cc.role = agentv.Cases
		if in.Sidecar != nil {
			cc.headerText, cc.digest = *in.Sidecar, *in.Sidecar
			cc.headerSource = text.New("", cc.headerText)
			cc.header = shiftToHeader(yaml.Parse(cc.headerSource))
		}
	}
	return cc
}

// readHeader reads what stands around the list.
func (cc *chunkContext) readHeader(l *layout) bool {
	cc.headerText = l.head + l.tail
	cc.headerSource = text.New(cc.input.Path, cc.headerText)
	cc.header = parseHeader(cc.headerSource, l.key)
	if cc.header == nil {
		return false
	}
	root := cc.header.Root()
	if adk.RoleOf(cc.input.Path, root) != adk.None {
		return false // its cases are no list of ours
	}
	cc.role = agentv.RoleOf(cc.input.Path, root, cc.input.HasCases)
	if cc.role == laterRole {
		cc.version = v4.DetectVersion(root)
	}
	if (l.key == agentv.CasesKey) != (cc.role == agentv.Eval) || cc.role != agentv.Eval && cc.role != laterRole {
		return false
	}
	if cc.userSchema = divideUserSchema(cc.header, cc.input.LoadSchema, l.key); cc.userSchema.needsWholeFile() {
		return false
	}
	cc.anchors = cc.header.AnchorsBefore(len(l.head))
	cc.header = shiftToHeader(cc.header)
	cc.listKey = root.Pair(l.key).Key
	cc.digest = cc.headerDigest(l.key)
	return true
}

// parseHeader is the tree of a file whose list has been taken out; nil if that is not
// what is left.
func parseHeader(source *text.Source, key string) *yaml.Tree {
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

func shiftToHeader(t *yaml.Tree) *yaml.Tree {
	t.MapSpans(func(span text.Span) text.Span { return span.Shift(text.HeaderBase) })
	return t
}

// headerDigest is all of the frame that may make a difference to a case: anything but
// what the file says of itself.
func (cc *chunkContext) headerDigest(list string) string {
	var b strings.Builder
	b.WriteString(string(cc.role) + " " + list + cc.userSchema.digest())
	for _, p := range cc.header.Root().Pairs {
		switch p.Key.Value {
		case list, "description", "name", "dataset", "tags", "metadata":
		default:
			b.WriteString("\n" + p.Key.Value + ": " + yaml.EncodeJSON(p.Value, ""))
		}
	}
	names := make([]string, 0, len(cc.anchors))
	for name, n := range cc.anchors {
		names = append(names, "\n&"+name+" "+yaml.EncodeJSON(n, ""))
	}
	slices.Sort(names)
	return b.String() + strings.Join(names, "")
}

// isCurrent reports whether what was found of a piece holds in this context.
func (cc *chunkContext) isCurrent(c *chunkResult) bool {
	y := c.context
	return cc == y || cc.division == y.division && cc.version == y.version && cc.digest == y.digest && (!c.usesHeader || cc.headerText == y.headerText)
}

// openChunk reads a piece.
func (cc *chunkContext) openChunk(piece *entry) *Chunk {
	source := piece.source
	if cc.headerSource != nil {
		source = source.WithHeader(cc.headerSource)
	}
	switch cc.division {
	case undivided:
		return cc.openFile(source)
	case adkCases:
		p := cc.adkChunk(source, adk.ReadChunk(cc.adk, source, piece.isLast))
		p.Header, p.listKey = cc.header, cc.listKey
		return p
	}
	p := &Chunk{Source: source, Tree: cc.parseChunk(source), Header: cc.header, Role: cc.role, Version: cc.version}
	p.Suite, p.listKey = cc.lowerChunk(p.Tree), cc.listKey
	if cc.division == jsonLines {
		p.Version = v4.DetectFileVersion(p.Tree, p.Role)
	}
	p.Table = tables.FileForRole(p.Role, p.Version).Type
	return p
}

func (cc *chunkContext) parseChunk(source *text.Source) *yaml.Tree {
	if cc.division == yamlList {
		return yaml.ParseChunk(source, cc.anchors)
	}
	return yaml.ParseJSONL(source)
}

func (cc *chunkContext) lowerChunk(t *yaml.Tree) *rubric.Suite {
	switch {
	case cc.division == jsonLines:
		return cc.lowerLines(t)
	case cc.role == laterRole:
		return cc.laterReader().LowerChunk(cc.header, t)
	}
	return agentv.LowerChunk(cc.header, t, cc.input.baseName())
}

// lowerLines reads lines of JSONL, which tell their version themselves.
func (cc *chunkContext) lowerLines(t *yaml.Tree) *rubric.Suite {
	own := *cc
	if own.version = v4.DetectJSONLVersion(t); own.version != "" {
		return own.laterReader().LowerJSONL(t, cc.header)
	}
	return agentv.LowerJSONL(t, cc.input.baseName(), cc.header)
}

// laterReader reads files of a later version.
func (cc *chunkContext) laterReader() v4.Reader {
	return v4.Reader{Version: cc.version, Name: cc.input.baseName(), ReadFile: cc.input.ReadFile, Cache: cc.otherFiles, Remaining: cc.testBudget}
}

// readFile reads a file in one piece.
func readFile(path string, source *text.Source) adk.File {
	if agentv.CaseFormat(path) == "jsonl" {
		return adk.File{Tree: yaml.ParseJSONL(source)}
	}
	return adk.OpenSource(path, source)
}

// openFile reads a file in one piece, which says itself what it is.
func (cc *chunkContext) openFile(source *text.Source) *Chunk {
	file := readFile(cc.input.Path, source)
	if file.Role != adk.None {
		return cc.adkChunk(source, file)
	}
	p := &Chunk{Source: source, Tree: file.Tree}
	own := *cc
	p.Role = agentv.RoleOf(cc.input.Path, p.Tree.Root(), cc.input.HasCases)
	p.Version = v4.DetectFileVersion(p.Tree, p.Role)
	p.Table = tables.FileForRole(p.Role, p.Version).Type
	own.version = p.Version
	switch own.role = p.Role; own.role {
	case agentv.Cases:
		p.Suite = cc.lowerLines(p.Tree)
	case agentv.TestList, agentv.ScenarioList:
		p.Suite = own.laterReader().LowerList(p.Tree, p.Role)
	case laterRole:
		p.Suite = own.lowerFile(p.Tree)
	case agentv.Eval:
		p.Suite = own.lowerFile(p.Tree)
	case agentv.Labels:
		p.LabelledSuite = cc.labelledSuite()
		fallthrough
	default:
		p.Suite = &rubric.Suite{Dialect: agentv.Name, Name: cc.input.baseName()}
	}
	return p
}

// labelledSuite are the cases of the eval file that a labels file is beside; nil if it
// is not there.
func (cc *chunkContext) labelledSuite() *rubric.Suite {
	if cc.input.ReadFile == nil {
		return nil
	}
	for _, name := range agentv.EvalFilesForLabels(cc.input.Path) {
		if body, found := cc.input.ReadFile(name); found {
			return Of(Input{Path: name, Text: body, ReadFile: cc.input.ReadFile}).Suite()
		}
	}
	return nil
}

// mismatches is where a part does not fit its table. Of YAML only the first document
// is read, of JSONL all that hold something.
func (p *Chunk) mismatches() (found []conform.Mismatch) {
	switch {
	case p.ADK != nil:
		return p.ADK.Mismatches()
	case p.Tree.HasUnboundedAliases() || p.Table == nil:
	case p.listKey != nil:
		found = conform.CheckField(p.Table, p.listKey, p.Tree.Root())
	case p.Role == agentv.Cases:
		for _, doc := range p.Tree.Docs {
			if !doc.Root.IsNull() {
				found = append(found, conform.Check(p.Table, doc.Root)...)
			}
		}
	default:
		found = conform.Check(p.Table, p.Tree.Root())
	}
	return agentv.MarkOtherVersions(cmp.Or(p.Version, agentv.Seed), found)
}

// lintPass is a part as rules see it.
func (cc *chunkContext) lintPass(p *Chunk) lint.Pass {
	return lint.Pass{
		Path: cc.input.Path, ADK: p.ADK, Source: p.Source, Tree: p.Tree, Header: p.Header, Suite: p.Suite, Role: string(p.Role), Mismatches: p.mismatches(), Cache: cc.memory,
		Severities: cc.input.Severities, ReadFile: cc.input.ReadFile, OutsideReason: cc.input.OutsideReason, FolderNames: cc.input.FolderNames, Targets: cc.input.Targets, LabelledSuite: p.LabelledSuite, UserSchema: cc.userSchemaFor(p),
	}
}
