package analysis

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// chunkContext is all that the meaning of a chunk depends on besides its text. It is
// immutable.
type chunkContext struct {
	input      *Input
	cache      *lint.Cache
	otherFiles *v4.FileCache // files that this one refers to
	testBudget *int          // how many tests of other files may be added; 0 for linting, which checks each file by itself
	division   division
	role       agentv.Role
	adk        adk.Role       // for adkCases
	version    agentv.Version // for agentv.EvalV4

	headerText   string                // of the header or the sidecar
	headerSource *text.Source          // of headerText
	header       *yaml.Tree            // of headerText, with spans from text.HeaderBase on; nil if undivided
	listKey      *yaml.Node            // with a header: the key of the list
	anchors      map[string]*yaml.Node // for yamlList: anchors before the list
	digest       string                // of the parts of the header that all chunks depend on
	userSchema   *lint.UserSchema      // for yamlList; nil if there is none
	lowerPart    dialect.LowerPart     // for yamlList of a registered dialect, else nil
}

// newChunkContext returns the context of a layout. It is nil if the header shows that the
// division is wrong.
func newChunkContext(in *Input, c *cache, l *layout) *chunkContext {
	cc := &chunkContext{input: in, cache: &c.lint, division: l.division, otherFiles: &v4.FileCache{}, testBudget: new(int)}
	if l.division.hasHeader() {
		cc.headerText = strings.Clone(l.head() + l.tail()) // the results of later versions keep it
		cc.headerSource = text.New(in.Path, cc.headerText)
	}
	switch {
	case l.division == yamlList:
		if !cc.readHeader(l) {
			return nil
		}
	case l.division == adkCases:
		file, list := adk.ReadHeader(in.Path, cc.headerSource, len(l.head()))
		if list == nil {
			return nil
		}
		cc.adk, cc.header, cc.listKey = file.Role, shiftToHeader(file.Tree), list.Key
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

// readHeader reads the header of a YAML list. It reports whether the list is one of cases.
func (cc *chunkContext) readHeader(l *layout) bool {
	cc.header = parseHeader(cc.headerSource, l.key)
	if cc.header == nil {
		return false
	}
	root := cc.header.Root()
	other, role := dialect.Recognise(cc.input.Path, cc.header)
	if cc.role = role; other == nil {
		cc.role = agentv.RoleOf(cc.input.Path, root, cc.input.HasCases)
	}
	if cc.role == agentv.EvalV4 {
		cc.version = agentv.DetectVersion(root)
	}
	isCases := (l.key == agentv.CasesKey) == (cc.role == agentv.Eval) && (cc.role == agentv.Eval || cc.role == agentv.EvalV4)
	if adk.RoleOf(cc.input.Path, root) != adk.None || other == nil && !isCases {
		return false
	}
	if cc.userSchema = cc.loadUserSchema(cc.header); cc.userSchema != nil && cc.userSchema.Validate != nil {
		return false // it may constrain several cases together
	}
	cc.anchors = cc.header.AnchorsBefore(len(l.head()))
	cc.header = shiftToHeader(cc.header)
	cc.listKey = root.Pair(l.key).Key
	cc.digest = cc.headerDigest(l.key)
	if other != nil {
		cc.lowerPart = other.Divide(cc.reader(), cc.input.Path, cc.header, l.key)
	}
	return other == nil || cc.lowerPart != nil
}

// parseHeader parses a header, in which the list under key has no text, and inserts an empty
// list. It returns nil if the header has another structure.
func parseHeader(source *text.Source, key string) *yaml.Tree {
	t := yaml.Parse(source)
	pair := t.Root().Pair(key)
	if len(t.Docs) > 1 || !t.Root().IsMap() || pair == nil || pair.Value.Kind != yaml.Scalar || !pair.Value.IsNull() || !pair.Value.Span.Empty() {
		return nil
	}
	list := *pair.Value
	list.Kind, list.Style, list.Tag, list.Recovered = yaml.Sequence, yaml.Block, yaml.TagSeq, true
	pair.Value = &list
	return t
}

func shiftToHeader(t *yaml.Tree) *yaml.Tree {
	t.MapSpans(func(span text.Span) text.Span { return span.Shift(text.HeaderBase) })
	return t
}

// headerDigest encodes what may change the meaning of a case: the header without its
// description of the file.
func (cc *chunkContext) headerDigest(listKey string) string {
	parts := []string{string(cc.role), listKey}
	for _, p := range cc.header.Root().Pairs {
		switch p.Key.Value {
		case listKey, "description", "name", "dataset", "tags", "metadata":
		default:
			parts = append(parts, p.Key.Value+": "+yaml.EncodeJSON(p.Value, ""))
		}
	}
	var anchors []string
	for name, n := range cc.anchors {
		anchors = append(anchors, "&"+name+" "+yaml.EncodeJSON(n, ""))
	}
	slices.Sort(anchors)
	return strings.Join(append(parts, anchors...), "\n")
}

// isCurrent reports whether a result is valid in this context.
func (cc *chunkContext) isCurrent(r *chunkResult) bool {
	c := r.context
	return cc == c || cc.division == c.division && cc.version == c.version && cc.digest == c.digest && (!r.usesHeader || cc.headerText == c.headerText)
}

// openChunk parses and lowers a chunk; see chunkResult for its place. A stream may have loaded the chunk.
func (cc *chunkContext) openChunk(source *text.Source, place int, loaded yaml.Loaded) *Chunk {
	if cc.headerSource != nil {
		source = source.WithHeader(cc.headerSource)
	}
	switch cc.division {
	case undivided:
		return cc.openFile(source)
	case adkCases:
		c := cc.adkChunk(source, adk.ReadChunk(cc.adk, source, place > 0))
		c.Header, c.listKey = cc.header, cc.listKey
		return c
	}
	c := &Chunk{Source: source, Tree: cc.parseChunk(source, loaded), Header: cc.header, Role: cc.role, Version: cc.version}
	c.listKey = cc.listKey
	if cc.lowerPart != nil {
		var isPart bool
		c.Suite, isPart = cc.lowerPart(c.Tree, place)
		c.isMiscut, c.Table = !isPart, dialect.ForRole(c.Role).TypeOf(c.Role)
		return c
	}
	if c.Suite = cc.lowerChunk(c.Tree); cc.division == jsonLines {
		c.Version = cc.versionOf(c.Tree, c.Role)
	}
	c.Table = dialect.FileForRole(c.Role, c.Version).Type
	return c
}

func (cc *chunkContext) parseChunk(source *text.Source, loaded yaml.Loaded) *yaml.Tree {
	if cc.division == yamlList {
		return yaml.ParseChunk(source, cc.anchors, loaded)
	}
	return yaml.ParseJSONL(source)
}

// lowerChunk lowers a part of a file.
func (cc *chunkContext) lowerChunk(t *yaml.Tree) *rubric.Suite {
	if cc.division == jsonLines {
		return cc.lowerLines(t)
	}
	return cc.agentvReader().LowerChunk(cc.header, t)
}

// lowerLines lowers lines of JSONL; each line shows its version.
func (cc *chunkContext) lowerLines(t *yaml.Tree) *rubric.Suite {
	own := *cc
	own.role, own.version = agentv.Cases, cc.versionOf(t, agentv.Cases)
	return own.agentvReader().LowerJSONL(t, cc.header)
}

// versionOf returns the later version of a file, or "" if it is none. Tests that an eval file names are of one.
func (cc *chunkContext) versionOf(t *yaml.Tree, role agentv.Role) agentv.Version {
	version := agentv.DetectFileVersion(t, role)
	if cc.input.Role == agentv.TestList {
		version = cmp.Or(version, agentv.V4)
	}
	return version
}

func (cc *chunkContext) agentvReader() v4.Reader {
	return v4.Reader{Format: dialect.Format(cc.role, cc.version), Name: cc.input.baseName(), ReadFile: cc.input.ReadFile, ListFiles: cc.input.ListFiles, Cache: cc.otherFiles, Remaining: cc.testBudget}
}

// otherChunk is a file of a registered dialect or the header of one.
func (cc *chunkContext) otherChunk(source *text.Source, t *yaml.Tree, other *dialect.Other, role agentv.Role) *Chunk {
	return &Chunk{Source: source, Tree: t, Role: role, Table: other.TypeOf(role), Suite: other.Lower(cc.reader(), t, role)}
}

func (cc *chunkContext) reader() dialect.Reader {
	return dialect.Reader{Name: cc.input.baseName(), ReadFile: cc.input.ReadFile, ListFiles: cc.input.ListFiles, Own: *cc.testBudget == 0}
}

// readFile parses a whole file of any dialect.
func readFile(path string, source *text.Source) adk.File {
	if agentv.CaseFormat(path) == "jsonl" {
		return adk.File{Tree: yaml.ParseJSONL(source)}
	}
	return adk.OpenSource(path, source)
}

// openFile parses and lowers an undivided file.
func (cc *chunkContext) openFile(source *text.Source) *Chunk {
	file := readFile(cc.input.Path, source)
	if file.Role != adk.None {
		return cc.adkChunk(source, file)
	}
	other, role := dialect.Recognise(cc.input.Path, file.Tree)
	if named := cc.input.Role; named != "" {
		other, role = dialect.ForRole(named), named
	}
	if other != nil {
		return cc.otherChunk(source, file.Tree, other, role)
	}
	c := &Chunk{Source: source, Tree: file.Tree, Suite: &rubric.Suite{Dialect: agentv.Name, Name: cc.input.baseName()}}
	if c.Role = agentv.RoleOf(cc.input.Path, c.Tree.Root(), cc.input.HasCases); c.Role != agentv.Cases {
		c.Role = cmp.Or(cc.input.Role, c.Role)
	}
	c.Version = cc.versionOf(c.Tree, c.Role)
	c.Table = dialect.FileForRole(c.Role, c.Version).Type
	own := *cc
	own.role, own.version = c.Role, c.Version
	switch c.Role {
	case agentv.Cases:
		c.Suite = cc.lowerLines(c.Tree)
	case agentv.TestList, agentv.ScenarioList:
		c.Suite = own.agentvReader().LowerList(c.Tree, c.Role)
	case agentv.EvalV4, agentv.Eval:
		c.Suite = own.agentvReader().LowerSuite(c.Tree)
	case agentv.Labels:
		c.LabelledSuite = cc.labelledSuite()
	}
	return c
}

// labelledSuite returns the suite of the eval file that belongs to a labels file; nil if
// there is none.
func (cc *chunkContext) labelledSuite() *rubric.Suite {
	if cc.input.ReadFile == nil {
		return nil
	}
	var sidecar *string
	for _, name := range agentv.EvalFilesForLabels(cc.input.Path) {
		body, found := cc.input.ReadFile(name)
		if !found {
			continue
		}
		_, hasCases := cc.input.ReadFile(strings.TrimSuffix(name, path.Ext(name)) + ".jsonl")
		a := Of(Input{Path: name, Text: body, Sidecar: sidecar, HasCases: hasCases, ReadFile: cc.input.ReadFile})
		switch {
		case a.Role() == agentv.Sidecar:
			sidecar = &body
		case cc.input.EvalFile != "" && name != cc.input.EvalFile: // the labels are for another file
		case a.ADK() != adk.None:
			return cc.labelledEvalset(name, body)
		default:
			return a.Suite()
		}
	}
	return nil
}

// labelledEvalset returns the cases of an evalset with the criteria that its metrics may be judged by.
func (cc *chunkContext) labelledEvalset(name, body string) *rubric.Suite {
	config, _ := cc.input.ReadFile(adk.ConfigName)
	shared := metric.FixedItems()
	for _, g := range adk.Open(adk.ConfigName, config).Graders() {
		shared = append(shared, g.Criteria...)
	}
	suite := cc.emptyADKSuite()
	for _, c := range adk.LowerSet(metric.Latest, adk.Open(name, body)).Cases {
		criteria := append(slices.Clip(shared), adk.LocateRubrics(c.Node.Get("rubrics"))...)
		for _, turn := range c.Turns {
			criteria = append(criteria, adk.LocateRubrics(turn.Get("rubrics"))...)
		}
		labelled := &rubric.Case{ID: c.ID, Graders: []*rubric.Grader{{Kind: rubric.Metric, Criteria: criteria}}}
		if c.Scenario == nil {
			labelled.Conversation = &rubric.Conversation{Turns: make([]rubric.TurnInput, len(c.Turns))}
		}
		suite.Cases = append(suite.Cases, labelled)
	}
	return suite
}

// adkChunk is one of ADK's files or a chunk of it. [adk.Set] holds its cases, not the suite.
func (cc *chunkContext) adkChunk(source *text.Source, file adk.File) *Chunk {
	return &Chunk{Source: source, Tree: file.Tree, Suite: cc.emptyADKSuite(), ADK: &file, Table: adk.TypeForRole(file.Role)}
}

func (cc *chunkContext) emptyADKSuite() *rubric.Suite {
	return &rubric.Suite{Dialect: adk.Name, Name: cc.input.baseName()}
}

// mismatches compares a chunk with its field table. Of several YAML documents it reads the
// first, of JSONL every line that is not empty.
func (c *Chunk) mismatches() (found []conform.Mismatch) {
	switch {
	case c.ADK != nil:
		return c.ADK.Mismatches()
	case c.Tree.HasUnboundedAliases() || c.Table == nil:
	case c.listKey != nil:
		found = conform.CheckField(c.Table, c.listKey, c.Tree.Root())
	case c.Role == agentv.Cases:
		for _, doc := range c.Tree.Docs {
			if !doc.Root.IsNull() || !doc.Root.Span.Empty() { // null is no empty line
				found = append(found, conform.Check(c.Table, doc.Root)...)
			}
		}
	default:
		found = conform.Check(c.Table, c.Tree.Root())
	}
	if other := dialect.ForRole(c.Role); other != nil {
		return other.Mismatches(c.Tree, found)
	}
	return agentv.MarkOtherVersions(cmp.Or(c.Version, agentv.Seed), found)
}

// loadUserSchema returns the JSON Schema that a file or its header names, or nil.
func (cc *chunkContext) loadUserSchema(t *yaml.Tree) *lint.UserSchema {
	s := lint.FindUserSchema(t)
	if s != nil && cc.input.LoadSchema != nil && !s.IsRemote() {
		s.Validate, s.Err = cc.input.LoadSchema(s.Reference)
	}
	return s
}
