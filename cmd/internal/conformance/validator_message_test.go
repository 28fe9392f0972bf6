package conformance

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

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
