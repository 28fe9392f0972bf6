package completion

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide/internal/fielddoc"
	"github.com/rubric-ls/rubric/core/ide/internal/naming"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func (c *completer) addValues(s syntax.Context, n *yaml.Node) {
	if s.Type == nil {
		c.addPaths(s, n)
		return
	}
	c.addScalars(s)
	c.addNames(s, n)
	c.addPaths(s, n)
	if c.brackets != nil && syntax.PairOf(n) == nil && c.word.Empty() {
		for _, shape := range syntax.FlattenUnion(s.Type) {
			c.addSkeletons(shape, "", 0)
		}
	}
	if c.brackets != nil || syntax.PairOf(n) == nil || !c.word.Empty() {
		return
	}
	column := yaml.ColumnOf(c.chunk.Source, syntax.PairOf(n).Key)
	for _, shape := range blockTypes(s.Type) {
		sw := c.newSnippet()
		sw.writeValue(shape, s.Field, column)
		c.addSnippet(shape, strings.TrimPrefix(sw.b.String(), " "), sw.stops)
	}
}

func (c *completer) addScalars(s syntax.Context) {
	byDefault := strings.Trim(generic.OrZero(s.Field).Default, "`")
	for _, shape := range syntax.FlattenUnion(s.Type) {
		sw := c.newSnippet()
		for _, v := range slices.Concat(shape.Values, shape.KnownValues, shape.Proposed) {
			item := CompletionItem{Label: v.Text, Kind: ValueItem, Detail: v.Doc}
			if s.Owner != nil && s.Field != nil {
				item.DocKey = fielddoc.DocKey(s.Owner, s.Field.Key, v.Text)
			}
			c.addItem(item, sw.scalarText(v.Text), nil)
		}
		if shape.Kind != schema.Bool {
			continue
		}
		for _, word := range []string{"true", "false"} {
			item := CompletionItem{Label: word, Kind: ValueItem}
			if strings.HasPrefix(byDefault, word) {
				item.Detail = "the default"
			}
			c.addItem(item, word, nil)
		}
	}
}

// blockTypes returns the choices that are written on their own lines and have a known structure.
func blockTypes(t *schema.Type) (all []*schema.Type) {
	for _, shape := range syntax.FlattenUnion(t) {
		if shape.Kind == schema.List && shape.Items.Kind != schema.Any || shape.Kind == schema.Map && len(shape.Fields)+len(shape.Choices) > 0 {
			all = append(all, shape)
		}
	}
	return all
}

// addAlternatives adds values that may replace a lone key: the value of the enclosing key on its own
// lines, or a list item.
func (c *completer) addAlternatives(s syntax.Context, mapping *yaml.Node) {
	c.addScalars(s)
	c.addNames(s, mapping)
	c.addPaths(s, mapping)
	item := mapping.Parent != nil && mapping.Parent.Kind == yaml.Sequence
	for _, shape := range syntax.FlattenUnion(s.Type) {
		switch {
		case shape.Kind == schema.Map && item && c.brackets == nil:
			c.addSkeletons(shape, "", c.probe.column)
		case shape.Kind == schema.List && !item && c.aloneOnLine && c.brackets == nil:
			for _, inner := range syntax.FlattenUnion(shape.Items) {
				c.addSkeletons(inner, "- ", c.probe.column+2)
			}
		}
	}
}

// addSkeletons adds items that insert the essential fields of a mapping type at a column, one
// for each variant.
func (c *completer) addSkeletons(t *schema.Type, lead string, column int) {
	variants := []*schema.Type{t}
	if len(t.Choices) > 0 {
		variants = t.Choices
	}
	for _, v := range variants {
		if v.Kind != schema.Map || len(v.Fields) == 0 {
			continue
		}
		sw := c.newSnippet()
		sw.write(lead)
		if sw.flow {
			sw.write("{ ")
		}
		sw.writeMapping(v, nil, column)
		if sw.flow {
			sw.write(" }")
		}
		c.addSnippet(v, sw.b.String(), sw.stops)
		if bands := v.Field("score_ranges"); bands != nil {
			c.addBandedItem(v, bands, lead, column)
		}
	}
}

// addBandedItem adds a criterion that is graded 0 to 10.
func (c *completer) addBandedItem(t *schema.Type, bands *schema.Field, lead string, column int) {
	if c.brackets != nil {
		return
	}
	sw := c.newSnippet()
	sw.write(lead)
	sw.writeMapping(t, nil, column)
	sw.newLine(column)
	sw.writeEntry(bands, bands.Key, column)
	c.addItem(CompletionItem{Label: typeTitle(t) + " with score ranges", Kind: SnippetItem, Detail: "graded 0 to 10", DocKey: fielddoc.DocKey(t, "", "")}, sw.b.String(), sw.stops)
}

func (c *completer) addSnippet(t *schema.Type, words string, stops []text.Span) {
	first, _, _ := strings.Cut(t.Doc, ". ")
	c.addItem(CompletionItem{Label: typeTitle(t), Kind: SnippetItem, Detail: strings.TrimSuffix(first, "."), DocKey: fielddoc.DocKey(t, "", "")}, words, stops)
}

func typeTitle(t *schema.Type) string {
	if t.Name != "" {
		return strings.ReplaceAll(t.Title(), "`", "")
	}
	if t.Kind != schema.List {
		return strings.ReplaceAll(fielddoc.DescribeType(t), "`", "")
	}
	for _, item := range syntax.FlattenUnion(t.Items) {
		if item.Name != "" {
			return typeTitle(item) + " list"
		}
	}
	return "list"
}

// addPaths adds files and directories for a path. Their edits replace only its last element.
func (c *completer) addPaths(s syntax.Context, n *yaml.Node) {
	typed := strings.TrimLeft(c.typedPrefix(), `"'`)
	scheme := strings.HasPrefix(typed, syntax.FileScheme)
	if c.host.ReadDir == nil || !scheme && !c.acceptsPath(s, n) {
		return
	}
	folder, _ := path.Split(strings.TrimPrefix(typed, syntax.FileScheme))
	start := c.offset - len(typed) + strings.LastIndexByte(typed, '/') + 1
	end := max(c.offset, c.word.Start+len(strings.TrimRight(c.body[c.word.Start:c.word.End], `"'`)))
	lead := ""
	if c.needsSpace {
		lead = " "
	}
	for _, e := range c.host.ReadDir(path.Clean(folder)) {
		item := CompletionItem{Label: e.Name, Kind: FileItem, Edit: text.Edit{Span: text.Span{Start: start, End: end}, New: lead + e.Name}}
		if c.Json && c.word.Empty() {
			item.Edit.New = lead + scalar.Quote(e.Name)
		}
		if e.IsDir {
			item.Label, item.Kind, item.Retrigger = e.Name+"/", FolderItem, true
			item.Edit.New += "/"
		}
		c.items = append(c.items, item)
	}
}

// acceptsPath reports whether a value may be a path.
func (c *completer) acceptsPath(s syntax.Context, n *yaml.Node) bool {
	f := cmp.Or(s.Field, syntax.EnclosingField(c.chunk, n))
	if f == nil || !acceptsText(s.Type) {
		return false
	}
	switch f.Key {
	case "value":
		mapping := n.Parent
		return mapping.Get("type").Text() == "file"
	case "path":
		kind := n.Parent.Get("type").Text()
		return kind == "code_judge" || kind == "code-judge"
	case "prompt", "script", "command", "cwd", "input_files", "include", "workspace_template", "executable":
		return true
	}
	return false
}

// completeVariable proposes template variables. inside reports whether the offset is between braces,
// where nothing else is valid.
func completeVariable(p *analysis.Chunk, offset int, host Host) (items []CompletionItem, inside bool) {
	body := p.Source.Body
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	open := strings.LastIndex(body[line.Start:offset], "{{")
	if open < 0 || strings.Contains(body[line.Start+open:offset], "}}") {
		return nil, false
	}
	names := templateVariables(p, line.Start+open, host)
	if names == nil {
		return nil, false
	}
	word := syntax.WordAt(body, offset, text.Span{Start: line.Start + open, End: line.End}, isNameRune)
	before, after := "", ""
	if body[word.Start-1] == '{' {
		before = " "
	}
	if !strings.HasPrefix(strings.TrimLeft(body[word.End:line.End], " "), "}}") {
		after = " }}"
	}
	for _, name := range names {
		items = append(items, CompletionItem{Label: name, Kind: VariableItem, Edit: text.Edit{Span: word, New: before + name + after}})
	}
	return items, true
}

// completePlaceholder proposes the placeholders of a target's command. inside reports whether the
// offset is in braces there.
func completePlaceholder(p *analysis.Chunk, offset int) (items []CompletionItem, inside bool) {
	n := p.Tree.NodeAt(offset)
	if f := syntax.ContextOf(p, n).Field; p.Role != agentv.Targets || f == nil || f.Key != "command_template" || syntax.IsKey(n) {
		return nil, false
	}
	body := p.Source.Body
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	word := syntax.WordAt(body, offset, line, isNameRune)
	before := body[line.Start:word.Start]
	if !strings.HasSuffix(before, "{") || strings.HasSuffix(before, "{{") {
		return nil, false
	}
	after := "}"
	if strings.HasPrefix(body[word.End:], "}") {
		after = ""
	}
	for _, name := range agentv.Placeholders {
		items = append(items, CompletionItem{Label: name, Kind: VariableItem, Edit: text.Edit{Span: word, New: name + after}})
	}
	return items, true
}

func isNameRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// templateVariables returns the names that a template at an offset may use, or nil if there is no
// template. In the newest version every string is a template, with variables from the cases.
func templateVariables(p *analysis.Chunk, offset int, host Host) (names []string) {
	prompt := isInPrompt(p, offset)
	if prompt {
		names = append(names, grade.Variables...)
	}
	if prompt && p.Version != "" {
		names = append(names, naming.V4PromptVariables...)
	}
	if p.Version != agentv.Head || p.Tree.NodeAt(offset).Kind != yaml.Scalar {
		return names
	}
	return append([]string{}, generic.AppendNew(names, append(declaredVars(p), callNames(host.VarNames)...)...)...)
}

// declaredVars returns the variables that a chunk and its header declare.
func declaredVars(p *analysis.Chunk) []string {
	names := treeVars(p.Tree)
	if p.Header != nil {
		names = append(names, treeVars(p.Header)...)
	}
	return names
}

// isInPrompt reports whether an offset is in a judge's prompt. It falls back to the line's text,
// because an unclosed brace can hide the prompt from the tree.
func isInPrompt(p *analysis.Chunk, offset int) bool {
	for n := p.Tree.NodeAt(offset); n != nil; n = n.Parent {
		if f := syntax.ContextOf(p, n).Field; f != nil && !syntax.IsKey(n) {
			return f.Key == "prompt"
		}
	}
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	words := strings.TrimLeft(p.Source.Slice(line), " -")
	return strings.HasPrefix(words, "prompt:") || strings.Contains(words, " prompt:")
}

// varScanWindow is how many bytes before and after the cursor are scanned for variables. That covers
// tens of cases, which usually declare the same ones.
const varScanWindow = 16 << 10

var varsCache = analysis.NewChunkCache(func(p *analysis.Chunk) []string { return treeVars(p.Tree) })

func treeVars(tree *yaml.Tree) (names []string) {
	yaml.Walk(tree.Root(), func(n *yaml.Node) bool {
		for _, pair := range n.Get("vars").Entries() {
			names = append(names, pair.Key.Value)
		}
		return true
	})
	return names
}
