package lint

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/spell"
)

// Supply is what the cases of an evalset have that makes a difference to what is
// said of other cases, or of the file. That of a file is what its parts have.
type Supply struct {
	Turns, Calls, Rubrics bool // there are some

	Tools, Words []string // names of tools, and of what those take and return, sorted
	Full         bool     // tools are declared, so that Tools may be all that there are
}

// Same reports whether two supplies are alike.
func (s Supply) Same(other Supply) bool {
	return s.Brief() == other.Brief() && s.Full == other.Full && slices.Equal(s.Tools, other.Tools) && slices.Equal(s.Words, other.Words)
}

// Brief is what of a supply makes a difference to what is said of the file.
func (s Supply) Brief() Brief { return Brief{s.Turns, s.Calls, s.Rubrics} }

// Brief says of what there is any in the cases of an evalset.
type Brief struct{ Turns, Calls, Rubrics bool }

// With is what is in one of two, or in both.
func (b Brief) With(other Brief) Brief {
	return Brief{b.Turns || other.Turns, b.Calls || other.Calls, b.Rubrics || other.Rubrics}
}

// supplied is what a stock is to others.
func supplied(t *adk.Stock) Supply {
	return Supply{
		Turns: t.Turns > 0, Calls: t.Calls, Rubrics: len(t.Rubrics) > 0,
		Tools: slices.Sorted(maps.Keys(t.Tools)), Words: slices.Sorted(maps.Keys(t.Words)), Full: t.Full,
	}
}

// toolbox is all tools that the cases of a file have, or of several.
type toolbox struct {
	tools, words map[string]bool
	names        []string // of the tools, sorted
	full         bool     // there may be no others
}

func toolsOf(results []*Result) *toolbox {
	b := &toolbox{tools: map[string]bool{}, words: map[string]bool{}}
	for _, r := range results {
		for _, name := range r.Supply.Tools {
			b.tools[name] = true
		}
		for _, name := range r.Supply.Words {
			b.words[name] = true
		}
		b.full = b.full || r.Supply.Full
	}
	b.names = slices.Sorted(maps.Keys(b.tools))
	return b
}

// lacks reports whether a rubric that speaks of a tool speaks of one that nobody
// has, and which one may be meant.
func (b *toolbox) lacks(name string) (near string, faulty bool) {
	if len(b.tools) == 0 || b.tools[name] || b.words[name] {
		return "", false // nobody knows any, or it is one
	}
	near = spell.Nearest(name, b.names)
	return near, near != "" || b.full
}
