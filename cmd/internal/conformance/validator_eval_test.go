package conformance

import "github.com/rubric-ls/rubric/core/yaml"

// seedFindings checks an eval file as the seed does. The file is valid if nothing at all is found: here
// even a warning makes it invalid.
func seedFindings(tree *yaml.Tree) []finding {
	f := &findings{reading: reading{roles: seedRoles}}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	cases := ownValue(root, "evalcases")
	if !cases.IsSeq() {
		f.add("evalcases_not_array", "evalcases")
		return f.list
	}
	for i, n := range cases.List() {
		if path := itemPath("evalcases", i); n.IsMap() {
			f.entry(n, path)
		} else {
			f.add("case_not_object", path)
		}
	}
	return f.list
}

func (f *findings) entry(n *yaml.Node, path string) {
	if isBlank(ownValue(n, "id")) {
		f.add("id_missing_or_not_string", path+".id")
	}
	if outcome := ownValueOr(n, "expected_outcome", "outcome"); outcome != nil && isBlank(outcome) {
		f.add("expected_outcome_blank", path+".expected_outcome")
	}
	f.input(n, path)
	f.expected(n, path)
}

// input takes the shorthand unless `input_messages` is a list.
func (f *findings) input(n *yaml.Node, path string) {
	if canonical := ownValue(n, "input_messages"); canonical.IsSeq() {
		f.messages(canonical, path+".input_messages")
		return
	}
	input := ownValue(n, "input")
	switch _, isText := input.Str(); {
	case input == nil:
		f.add("input_missing", path+".input_messages")
	case input.IsSeq():
		f.messages(input, path+".input")
	case !isText:
		f.add("input_wrong_type", path+".input")
	}
}

// expected takes the shorthand only where `expected_messages` is absent.
func (f *findings) expected(n *yaml.Node, path string) {
	if canonical := ownValue(n, "expected_messages"); canonical != nil {
		if canonical.IsSeq() {
			f.messages(canonical, path+".expected_messages")
		} else {
			f.add("expected_messages_wrong_type", path+".expected_messages")
		}
		return
	}
	if output := ownValue(n, "expected_output"); output != nil {
		f.answer(output, path+".expected_output")
	}
}

// answer checks what is expected in its short form. A list is one of messages
// if its first item has a role; otherwise it is data.
func (f *findings) answer(output *yaml.Node, path string) {
	switch _, isText := output.Str(); {
	case isText, output.IsMap():
	case !output.IsSeq():
		f.add("expected_output_wrong_type", path)
	case len(output.List()) > 0 && f.get(output.List()[0], "role") != nil:
		f.messages(output, path)
	}
}
