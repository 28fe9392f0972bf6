package reference

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Eval checks an eval file. The file is valid if nothing at all is found: here
// even a warning makes it invalid.
func Eval(tree *yaml.Tree) []Finding {
	f := &findings{}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	cases := root.Get("evalcases")
	if !cases.IsSeq() {
		f.add("evalcases_not_array", "evalcases")
		return f.list
	}
	for i, n := range cases.List() {
		path := at("evalcases", i)
		if !n.IsMap() {
			f.add("case_not_object", path)
			continue
		}
		f.entry(n, path)
	}
	return f.list
}

func (f *findings) entry(n *yaml.Node, path string) {
	if blank(n.Get("id")) {
		f.add("id_missing_or_not_string", path+".id")
	}
	outcome := n.Get("expected_outcome")
	if outcome == nil {
		outcome = n.Get("outcome")
	}
	if outcome != nil && blank(outcome) {
		f.add("expected_outcome_blank", path+".expected_outcome")
	}
	f.input(n, path)
	if expected := n.Get("expected_messages"); expected != nil {
		if expected.IsSeq() {
			f.messages(expected, path+".expected_messages")
		} else {
			f.add("expected_messages_wrong_type", path+".expected_messages")
		}
		return
	}
	output := n.Get("expected_output")
	switch _, isText := output.Str(); {
	case output.IsSeq():
		f.messages(output, path+".expected_output")
	case output != nil && !output.IsNull() && !isText && !output.IsMap():
		f.add("expected_output_wrong_type", path+".expected_output")
	}
}

func blank(n *yaml.Node) bool {
	text, _ := n.Str()
	return strings.TrimSpace(text) == ""
}

func (f *findings) input(n *yaml.Node, path string) {
	if canonical := n.Get("input_messages"); canonical.IsSeq() {
		f.messages(canonical, path+".input_messages")
		return
	}
	input := n.Get("input")
	switch _, isText := input.Str(); {
	case input == nil:
		f.add("input_missing", path+".input_messages")
	case input.IsSeq():
		f.messages(input, path+".input")
	case !isText:
		f.add("input_wrong_type", path+".input")
	}
}

var (
	roles = []string{"system", "user", "assistant"}
	// marker is how transcripts mark who speaks.
	marker = regexp.MustCompile(`(?i)@\[(?:system|user|assistant|tool)\]:`)
)

func (f *findings) messages(list *yaml.Node, path string) {
	for i, m := range list.List() {
		here := at(path, i)
		if !m.IsMap() {
			f.add("message_not_object", here)
			continue
		}
		if role, _ := m.Get("role").Str(); !slices.Contains(roles, role) {
			f.add("role_invalid", here+".role")
		}
		content := m.Get("content")
		switch text, isText := content.Str(); {
		case isText:
			f.marked(text, here+".content")
		case content.IsSeq():
			f.parts(content, here+".content")
		default:
			f.add("content_missing_or_wrong_type", here+".content")
		}
	}
}

func (f *findings) parts(list *yaml.Node, path string) {
	for i, part := range list.List() {
		here := at(path, i)
		if text, isText := part.Str(); isText {
			f.marked(text, here)
			continue
		}
		if !part.IsMap() {
			f.add("content_item_wrong_type", here)
			continue
		}
		kind, ok := part.Get("type").Str()
		if !ok {
			f.add("content_item_no_type", here+".type")
			continue
		}
		if kind != "text" {
			continue
		}
		value, ok := part.Get("value").Str()
		if !ok {
			f.add("content_text_no_value", here+".value")
			continue
		}
		f.marked(value, here+".value")
	}
}

func (f *findings) marked(text, path string) {
	if marker.MatchString(text) {
		f.warn("role_marker_in_content", path)
	}
}
