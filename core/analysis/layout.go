package analysis

import (
	"sort"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// division is the way in which a file is divided into chunks.
type division uint8

const (
	undivided division = iota // one chunk
	yamlList                  // the items of a YAML list; the rest is the header
	jsonLines                 // the lines of JSONL
	adkCases                  // the cases of one of ADK's JSON files; the rest is the header
)

// hasHeader reports whether the file has text outside its chunks.
func (d division) hasHeader() bool { return d == yamlList || d == adkCases }

// layout divides a text into chunks.
type layout struct {
	body     string
	division division
	key      string      // with a header: the key of the list
	chunks   []text.Span // at least one; they touch, and the header is the text around them
}

// divide lays out a text.
func divide(path, body string) *layout {
	l := &layout{body: body}
	var list *yaml.ItemList
	switch {
	case agentv.CaseFormat(path) == "jsonl":
		l.division, l.chunks = jsonLines, yaml.SplitJSONL(body)
	case adk.IsJSON(path):
		l.division, list = adkCases, adk.SplitCases(body)
	default:
		l.division = yamlList
		if list = yaml.SplitItems(body, agentv.CasesKey); list == nil {
			list = yaml.SplitItems(body, agentv.CasesKeys...)
		}
	}
	if list != nil {
		l.key, l.chunks = list.Key, list.Items
	}
	if l.chunks == nil {
		return undividedLayout(body)
	}
	return l
}

// undividedLayout is the layout of a text as one chunk.
func undividedLayout(body string) *layout {
	return &layout{body: body, chunks: []text.Span{{End: len(body)}}}
}

// head and tail are the header's text before and after the chunks.
func (l *layout) head() string { return l.body[:l.chunks[0].Start] }
func (l *layout) tail() string { return l.body[l.chunks[len(l.chunks)-1].End:] }

func (l *layout) text(i int) string { return l.body[l.chunks[i].Start:l.chunks[i].End] }

// chunkAt returns the index of the chunk at an offset, the later one at a boundary. It is -1 in
// the header.
func (l *layout) chunkAt(offset int) int {
	last := len(l.chunks) - 1
	if end := l.chunks[last].End; offset < l.chunks[0].Start || offset > end || offset == end && end < len(l.body) {
		return -1
	}
	return sort.Search(last, func(i int) bool { return l.chunks[i+1].Start > offset })
}
