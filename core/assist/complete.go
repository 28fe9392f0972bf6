package assist

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// CompletionKind is what an item of a completion is.
type CompletionKind uint8

// The kinds of items, numbered as what the protocol has that is nearest to them.
const (
	VariableItem CompletionKind = 6
	KeyItem      CompletionKind = 10 // a property
	SnippetItem  CompletionKind = 15
	FileItem     CompletionKind = 17
	NameItem     CompletionKind = 18 // a reference: the name of a case, a target, a tool or an anchor
	FolderItem   CompletionKind = 19
	ValueItem    CompletionKind = 20 // a member of an enumeration
	RuleItem     CompletionKind = 21 // a constant
)

// CompletionItem is something that could stand at the cursor.
type CompletionItem struct {
	Label  string
	Kind   CompletionKind
	Detail string // in a few words
	DocKey string // what [Topic] tells of it, "" if there is nothing to tell
	Edit   text.Edit
	// Stops are the places in Edit.New that are left to fill in, in order; see
	// [Item.Snippet]. Lines of Edit.New are indented as they have to be.
	Stops []text.Span
	// Filter is what has to be typed for the item, "" if it is the label.
	Filter    string
	Retrigger bool // what is inserted wants to be completed again
}

// Plain is the edit for who cannot go through the stops: without what is in them.
func (i CompletionItem) Plain() text.Edit {
	var b strings.Builder
	at := 0
	for _, s := range i.Stops {
		b.WriteString(i.Edit.New[at:s.Start])
		at = s.End
	}
	return text.Edit{Span: i.Edit.Span, New: b.String() + i.Edit.New[at:]}
}

// snippetEscaper is text in a snippet.
var snippetEscaper = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)

// Snippet is the edit for who goes through the stops, as the protocol writes them.
func (i CompletionItem) Snippet() text.Edit {
	var b strings.Builder
	at := 0
	for n, s := range i.Stops {
		b.WriteString(snippetEscaper.Replace(i.Edit.New[at:s.Start]) + "${" + strconv.Itoa(n+1) + ":" + snippetEscaper.Replace(i.Edit.New[s.Start:s.End]) + "}")
		at = s.End
	}
	return text.Edit{Span: i.Edit.Span, New: b.String() + snippetEscaper.Replace(i.Edit.New[at:])}
}

// CompletionTriggers are what completion is worth asking for after: a key's colon, a list's
// dash, what begins a template, a path, a reference, a comment's rule.
var CompletionTriggers = [...]string{":", " ", "-", "{", "/", "*", "\"", "."}

// maxCompletionItems is how many items an answer has at most. One that has as many may have
// others when more has been typed.
const maxCompletionItems = 200

// Complete gives what could stand at an offset, the likeliest first. What has
// been typed of it already is replaced; to compare it with the items is left to
// the editor, unless there are too many of them.
func Complete(p *analysis.Chunk, offset int, host Host) []CompletionItem {
	items := completionItems(p, offset, host)
	return items[:min(len(items), maxCompletionItems)]
}

// IsIncomplete reports whether a completion may have left items out.
func IsIncomplete(items []CompletionItem) bool { return len(items) >= maxCompletionItems }

func completionItems(p *analysis.Chunk, offset int, host Host) []CompletionItem {
	// Between CR and LF there is no cursor: the line ends before both.
	offset = min(offset, p.Source.LineSpan(p.Source.OffsetLine(offset)).End)
	for _, c := range p.Tree.Comments {
		if c.Span.Start < offset && offset <= c.Span.End {
			return completeIgnoreComment(p, c, offset)
		}
	}
	if items, inside := completeVariable(p, offset, host); inside {
		return items
	}
	c, ok := readCursor(p, offset)
	if !ok {
		return nil
	}
	m := completer{cursor: c, host: host, style: styleOf(p)}
	if strings.HasPrefix(c.typedPrefix(), "*") {
		m.addAliases(p)
		return m.items
	}
	if c.inProse() {
		return nil
	}
	if m.addFileKeys(p); m.items != nil && c.column < caseListColumn(p) {
		return m.items
	}
	if m.probe, ok = c.findProbe(p); !ok {
		return m.items
	}
	if c.brackets != nil {
		m.json = p.ADK != nil && p.ADK.JSON || hasQuotedKeys(m.node)
	}
	if m.isKey {
		m.addKeys()
	} else {
		m.addValues(schemaContextOf(m.part, m.node), m.node)
	}
	return m.items
}

// typedPrefix is the word up to the cursor.
func (c cursor) typedPrefix() string {
	return c.body[c.word.Start:max(min(c.offset, c.word.End), c.word.Start)]
}

// inProse reports whether the word is a text: a key has no spaces and, in block
// style, nobody puts it in quotes.
func (c cursor) inProse() bool {
	typed := c.typedPrefix()
	return !c.isValue && !c.hasColon && (strings.Contains(typed, " ") || c.brackets == nil && strings.IndexAny(typed, `"'`) == 0)
}

// hasQuotedKeys reports whether what stands beside a word in brackets has its keys
// in double quotes, as in JSON.
func hasQuotedKeys(n *yaml.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		for _, pair := range up.Pairs {
			if pair.Key != n && up.Style == yaml.Flow {
				return pair.Key.Style == yaml.DoubleQuoted
			}
		}
	}
	return n.Style == yaml.DoubleQuoted
}

// completer is a completion in the making.
type completer struct {
	cursor
	probe
	style
	host  Host
	items []CompletionItem
}

// addItem adds an item that puts words in the place of what is typed.
func (c *completer) addItem(item CompletionItem, words string, stops []text.Span) {
	lead := ""
	span := c.word
	switch {
	case c.needsSpace:
		lead = " "
	case c.aloneOnLine && !c.isValue:
		span.Start = c.line.Start
		lead = strings.Repeat(" ", c.startColumn())
		if c.needsDash {
			lead += "- "
		}
		if typed := c.body[span.Start:c.word.Start]; strings.HasPrefix(lead, typed) {
			span.Start, lead = c.word.Start, lead[len(typed):]
		} else {
			item.Filter = typed + item.Label
		}
	}
	if typed := c.typedPrefix(); typed != "" && (typed[0] == '"' || typed[0] == '\'') {
		item.Filter = typed[:1] + item.Label
	}
	item.Edit = text.Edit{Span: span, New: lead + words + c.separatorAfter()}
	for _, s := range stops {
		item.Stops = append(item.Stops, s.Shift(len(lead)))
	}
	c.items = append(c.items, item)
}

// startColumn is where the line has to begin.
func (c *completer) startColumn() int {
	if c.needsDash {
		return c.probe.column - 2
	}
	return c.probe.column
}

// newSnippet is an empty text in the file's style.
func (c *completer) newSnippet() *snippetWriter {
	return &snippetWriter{style: c.style, flow: c.brackets != nil}
}
