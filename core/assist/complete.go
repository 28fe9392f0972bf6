package assist

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kind is what an item of a completion is.
type Kind uint8

// The kinds of items, numbered as what the protocol has that is nearest to them.
const (
	VariableItem Kind = 6
	KeyItem      Kind = 10 // a property
	SnippetItem  Kind = 15
	FileItem     Kind = 17
	NameItem     Kind = 18 // a reference: the name of a case, a target, a tool or an anchor
	FolderItem   Kind = 19
	ValueItem    Kind = 20 // a member of an enumeration
	RuleItem     Kind = 21 // a constant
)

// Item is something that could stand at the cursor.
type Item struct {
	Label  string
	Kind   Kind
	Detail string // in a few words
	Topic  string // what [Topic] tells of it, "" if there is nothing to tell
	Edit   text.Edit
	// Stops are the places in Edit.New that are left to fill in, in order; see
	// [Item.Snippet]. Lines of Edit.New are indented as they have to be.
	Stops []text.Span
	// Filter is what has to be typed for the item, "" if it is the label.
	Filter string
	Again  bool // what is inserted wants to be completed again
}

// Plain is the edit for who cannot go through the stops: without what is in them.
func (i Item) Plain() text.Edit {
	var b strings.Builder
	at := 0
	for _, s := range i.Stops {
		b.WriteString(i.Edit.New[at:s.Start])
		at = s.End
	}
	return text.Edit{Span: i.Edit.Span, New: b.String() + i.Edit.New[at:]}
}

// literal is text in a snippet.
var literal = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)

// Snippet is the edit for who goes through the stops, as the protocol writes them.
func (i Item) Snippet() text.Edit {
	var b strings.Builder
	at := 0
	for n, s := range i.Stops {
		b.WriteString(literal.Replace(i.Edit.New[at:s.Start]) + "${" + strconv.Itoa(n+1) + ":" + literal.Replace(i.Edit.New[s.Start:s.End]) + "}")
		at = s.End
	}
	return text.Edit{Span: i.Edit.Span, New: b.String() + literal.Replace(i.Edit.New[at:])}
}

// Triggers are what completion is worth asking for after: a key's colon, a list's
// dash, what begins a template, a path, a reference, a comment's rule.
var Triggers = [...]string{":", " ", "-", "{", "/", "*", "\"", "."}

// maxItems is how many items an answer has at most. One that has as many may have
// others when more has been typed.
const maxItems = 200

// Complete gives what could stand at an offset, the likeliest first. What has
// been typed of it already is replaced; to compare it with the items is left to
// the editor, unless there are too many of them.
func Complete(p *analysis.Part, offset int, host Host) []Item {
	items := complete(p, offset, host)
	return items[:min(len(items), maxItems)]
}

// Cut reports whether a completion may have left items out.
func Cut(items []Item) bool { return len(items) >= maxItems }

func complete(p *analysis.Part, offset int, host Host) []Item {
	for _, c := range p.Tree.Comments {
		if c.Span.Start < offset && offset <= c.Span.End {
			return ruleItems(p, c, offset)
		}
	}
	if items, inside := variableItems(p, offset, host); inside {
		return items
	}
	c, ok := read(p, offset)
	if !ok {
		return nil
	}
	m := menu{cursor: c, host: host, style: styleOf(p)}
	if strings.HasPrefix(c.written(), "*") {
		m.anchors(p)
		return m.items
	}
	if c.prose() {
		return nil
	}
	if m.around(p); m.items != nil && c.column < listColumn(p) {
		return m.items
	}
	if m.probe, ok = c.probe(p); !ok {
		return m.items
	}
	if c.flow != nil {
		m.json = p.ADK != nil && p.ADK.JSON || quotesKeys(m.node)
	}
	if m.key {
		m.keys()
	} else {
		m.values(slotOf(m.part, m.node), m.node)
	}
	return m.items
}

// written is the word up to the cursor.
func (c cursor) written() string {
	return c.body[c.word.Start:max(min(c.offset, c.word.End), c.word.Start)]
}

// prose reports whether the word is a text: a key has no spaces and, in block
// style, nobody puts it in quotes.
func (c cursor) prose() bool {
	typed := c.written()
	return !c.value && !c.colon && (strings.Contains(typed, " ") || c.flow == nil && strings.IndexAny(typed, `"'`) == 0)
}

// quotesKeys reports whether what stands beside a word in brackets has its keys
// in double quotes, as in JSON.
func quotesKeys(n *yaml.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		for _, pair := range up.Pairs {
			if pair.Key != n && up.Style == yaml.Flow {
				return pair.Key.Style == yaml.DoubleQuoted
			}
		}
	}
	return n.Style == yaml.DoubleQuoted
}

// menu is a completion in the making.
type menu struct {
	cursor
	probe
	style
	host  Host
	items []Item
}

// add adds an item that puts words in the place of what is typed.
func (m *menu) add(item Item, words string, stops []text.Span) {
	lead := ""
	span := m.word
	switch {
	case m.glued:
		lead = " "
	case m.bare && !m.value:
		span.Start = m.line.Start
		lead = strings.Repeat(" ", m.column0())
		if m.dashed {
			lead += "- "
		}
		if typed := m.body[span.Start:m.word.Start]; strings.HasPrefix(lead, typed) {
			span.Start, lead = m.word.Start, lead[len(typed):]
		} else {
			item.Filter = typed + item.Label
		}
	}
	if typed := m.written(); typed != "" && (typed[0] == '"' || typed[0] == '\'') {
		item.Filter = typed[:1] + item.Label
	}
	item.Edit = text.Edit{Span: span, New: lead + words + m.comma()}
	for _, s := range stops {
		item.Stops = append(item.Stops, s.Shift(len(lead)))
	}
	m.items = append(m.items, item)
}

// column0 is where the line has to begin.
func (m *menu) column0() int {
	if m.dashed {
		return m.probe.column - 2
	}
	return m.probe.column
}

// sketch is an empty text in the file's style.
func (m *menu) sketch() *sketch { return &sketch{style: m.style, flow: m.flow != nil} }
