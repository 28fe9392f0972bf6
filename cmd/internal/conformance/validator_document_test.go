package conformance

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

// refused reports whether the reference implementation's YAML reader stops at
// the file: it takes one document, and what it cannot place it does not guess.
func (r reading) refused(tree *yaml.Tree) bool {
	if len(tree.Docs) > 1 {
		return true
	}
	for _, p := range tree.Problems {
		switch p.Kind {
		case yaml.SyntaxProblem, yaml.DuplicateKey, yaml.UnknownAlias, yaml.IndentProblem, yaml.ExpansionBudget,
			yaml.DepthProblem, yaml.TooLargeProblem:
			return true
		case yaml.BadMerge, yaml.AliasCycle:
			if r.merges {
				return true
			}
		}
	}
	return !r.merges && mergesTwice(tree.Root())
}

// mergesTwice reports whether a mapping has two `<<`. They are keys like any
// other to the seed, and so the second is a duplicate.
func mergesTwice(root *yaml.Node) (found bool) {
	yaml.Walk(root, func(n *yaml.Node) bool {
		merges := 0
		for _, p := range n.Pairs {
			if name, ok := keyName(p); ok && name == "<<" {
				merges++
			}
		}
		found = found || merges > 1
		return !found
	})
	return found
}

// document is the root of a file that is read, else nil, which is reported.
func (f *findings) document(tree *yaml.Tree) *yaml.Node {
	if f.refused(tree) {
		f.add("yaml_syntax", "")
		return nil
	}
	return tree.Root()
}

// root is the document's root if it is a mapping; otherwise that is reported.
func (f *findings) root(tree *yaml.Tree) *yaml.Node {
	root := f.document(tree)
	if root == nil || root.IsMap() {
		return root
	}
	f.add("root_not_object", "")
	return nil
}

// ownValue is the value of a mapping's key, or nil. Unlike Get it takes nothing from
// merge keys.
func ownValue(n *yaml.Node, key string) *yaml.Node {
	if !n.IsMap() {
		return nil
	}
	for _, p := range n.Follow().Pairs {
		if name, ok := keyName(p); ok && name == key {
			return p.Value
		}
	}
	return nil
}

// ownValueOr is the value of key unless that is absent or null, else that of
// other.
func ownValueOr(n *yaml.Node, key, other string) *yaml.Node {
	if value := ownValue(n, key); !value.IsNull() {
		return value
	}
	return ownValue(n, other)
}

// keyNames are the names in a mapping, in order.
func keyNames(n *yaml.Node) []string {
	var names []string
	for _, p := range n.Follow().Pairs {
		if name, ok := keyName(p); ok {
			names = append(names, name)
		}
	}
	return names
}

func keyName(p *yaml.Pair) (string, bool) {
	key := p.Key.Follow()
	if key == nil || key.Kind != yaml.Scalar {
		return "", false
	}
	return key.Value, true
}

// isBlank reports whether n is anything but a text with something in it.
func isBlank(n *yaml.Node) bool {
	text, _ := n.Str()
	return strings.TrimSpace(text) == ""
}

var (
	seedRoles = []string{"system", "user", "assistant"}
	// markers are how transcripts mark who speaks, in any case.
	markers = []string{"@[system]:", "@[user]:", "@[assistant]:", "@[tool]:"}
)

func (f *findings) messages(list *yaml.Node, path string) {
	for i, m := range list.List() {
		if here := itemPath(path, i); m.IsMap() {
			f.message(m, here)
		} else {
			f.add("message_not_object", here)
		}
	}
}

func (f *findings) message(m *yaml.Node, path string) {
	if role, _ := f.get(m, "role").Str(); !slices.Contains(f.roles, role) {
		f.add("role_invalid", path+".role")
	}
	content := f.get(m, "content")
	switch text, isText := content.Str(); {
	case isText:
		f.marked(text, path+".content")
	case content.IsSeq():
		f.parts(content, path+".content")
	case f.data && (content.IsMap() || content == nil && f.get(m, "tool_calls") != nil):
	default:
		f.add("content_missing_or_wrong_type", path+".content")
	}
}

func (f *findings) parts(list *yaml.Node, path string) {
	for i, part := range list.List() {
		here := itemPath(path, i)
		if text, isText := part.Str(); isText {
			f.marked(text, here)
			continue
		}
		if !part.IsMap() {
			f.add("content_item_wrong_type", here)
			continue
		}
		kind, ok := f.get(part, "type").Str()
		if !ok {
			f.add("content_item_no_type", here+".type")
			continue
		}
		if kind != "text" {
			continue
		}
		value, ok := f.get(part, "value").Str()
		if !ok {
			f.add("content_text_no_value", here+".value")
			continue
		}
		f.marked(value, here+".value")
	}
}

// marked warns once of each marker in text.
func (f *findings) marked(text, path string) {
	text = strings.ToLower(text)
	for _, marker := range markers {
		if strings.Contains(text, marker) {
			f.warn("role_marker_in_content", path)
		}
	}
}

var (
	promptVariable  = pattern.New(`\{\{\s*([a-zA-Z0-9_]+)\s*\}\}`)
	promptVariables = []string{
		"candidate_answer", "expected_messages", "question", "expected_outcome", "reference_answer", "input_messages", "output_messages",
	}
)

// checkPrompt checks the template of a judge's own prompt. Usable is false when it
// shows the judge neither the answer nor what is expected; unknown are the
// variables that nothing is filled in for, of which one warning is given.
func checkPrompt(template string) (usable bool, unknown []string) {
	for _, m := range promptVariable().FindAllStringSubmatch(template, -1) {
		switch name := m[1]; {
		case name == "candidate_answer", name == "expected_messages":
			usable = true
		case !slices.Contains(promptVariables, name) && !slices.Contains(unknown, name):
			unknown = append(unknown, name)
		}
	}
	return usable, unknown
}

// fileRefFindings checks the files that messages refer to. Read gives the text of a
// file that is found, by its path as written. Only the canonical keys are
// looked at, not their short names, and nothing in a file that is not read.
func fileRefFindings(tree *yaml.Tree, read func(path string) (text string, found bool)) []finding {
	f := &findings{}
	if f.refused(tree) {
		return nil
	}
	for i, n := range ownValue(tree.Root(), "evalcases").List() {
		for _, key := range []string{"input_messages", "expected_messages"} {
			for j, m := range ownValue(n, key).List() {
				for k, part := range ownValue(m, "content").List() {
					f.fileRef(part, itemPath(itemPath(itemPath("evalcases", i)+"."+key, j)+".content", k), read)
				}
			}
		}
	}
	return f.list
}

func (f *findings) fileRef(part *yaml.Node, path string, read func(string) (string, bool)) {
	if kind, _ := ownValue(part, "type").Str(); kind != "file" {
		return
	}
	name, ok := ownValue(part, "value").Str()
	if !ok {
		f.add("file_path_missing", path+".value")
		return
	}
	switch text, found := read(name); {
	case !found:
		f.add("file_not_found", path)
	case strings.TrimSpace(text) == "":
		f.warn("file_empty", path)
	}
}
