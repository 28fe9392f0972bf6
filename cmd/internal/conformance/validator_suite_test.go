package conformance

import (
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

var suiteNames = pattern.New(`^[a-z0-9-]+$`)

// suiteName checks the name that a suite gives itself, if it is a text.
func (f *findings) suiteName(root *yaml.Node) {
	if name, ok := f.get(root, "name").Str(); ok && !suiteNames().MatchString(name) {
		f.warn("name_invalid", "name")
	}
}

// conversation checks the keys that a case in turns has, and no other.
func (f *findings) conversation(n *yaml.Node, path string) {
	mode, _ := f.get(n, "mode").Str()
	talks := mode == "conversation"
	turns := f.get(n, "turns")
	if turns != nil && !talks {
		f.add("turns_without_conversation", path+".turns")
	}
	if talks && len(turns.List()) == 0 {
		f.add("conversation_without_turns", path+".mode")
	}
	if talks && turns.IsSeq() && f.get(n, "expected_output") != nil {
		f.add("conversation_with_expected_output", path+".expected_output")
	}
	for _, key := range []string{"aggregation", "on_turn_failure", "window_size"} {
		if !talks && f.get(n, key) != nil {
			f.add(key+"_without_conversation", path+"."+key)
		}
	}
	if talks {
		f.turns(turns.List(), path+".turns")
	}
}

func (f *findings) turns(turns []*yaml.Node, path string) {
	for i, turn := range turns {
		here := itemPath(path, i)
		if !turn.IsMap() {
			f.add("turn_not_object", here)
			continue
		}
		input := f.get(turn, "input")
		_, isText := input.Str()
		if input == nil || isText && isBlank(input) || input.IsSeq() && len(input.List()) == 0 {
			f.add("turn_input_missing", here+".input")
		}
	}
}
