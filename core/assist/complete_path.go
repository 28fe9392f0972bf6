package assist

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// fileScheme is what a text begins with that stands for a file in later versions.
const fileScheme = "file://"

// paths adds the files and folders that a path could go on with. Only what is
// typed of the last name in it is replaced.
func (m *menu) paths(s slot, n *yaml.Node) {
	typed := strings.TrimLeft(m.written(), `"'`)
	scheme := strings.HasPrefix(typed, fileScheme)
	if m.host.Folder == nil || !scheme && !m.takesPath(s, n) {
		return
	}
	folder, _ := path.Split(strings.TrimPrefix(typed, fileScheme))
	start := m.offset - len(typed) + strings.LastIndexByte(typed, '/') + 1
	end := max(m.offset, m.word.Start+len(strings.TrimRight(m.body[m.word.Start:m.word.End], `"'`)))
	lead := ""
	if m.glued {
		lead = " "
	}
	for _, e := range m.host.Folder(path.Clean(folder)) {
		item := Item{Label: e.Name, Kind: FileItem, Edit: text.Edit{Span: text.Span{Start: start, End: end}, New: lead + e.Name}}
		if m.json && m.word.Empty() {
			item.Edit.New = lead + quotedJSON(e.Name)
		}
		if e.Folder {
			item.Label, item.Kind, item.Again = e.Name+"/", FolderItem, true
			item.Edit.New += "/"
		}
		m.items = append(m.items, item)
	}
}

// takesPath reports whether a value is, or may be, the path of a file or folder.
func (m *menu) takesPath(s slot, n *yaml.Node) bool {
	f := s.Field
	if f == nil {
		f = under(m.part, n)
	}
	if f == nil || !takesText(s.Type) {
		return false
	}
	switch f.Key {
	case "value":
		mapping := n.Parent
		kind, _ := mapping.Get("type").Str()
		return kind == "file"
	case "path":
		kind, _ := n.Parent.Get("type").Str()
		return kind == "code_judge" || kind == "code-judge"
	case "prompt", "script", "command", "cwd", "input_files", "include", "workspace_template", "executable":
		return true
	}
	return false
}
