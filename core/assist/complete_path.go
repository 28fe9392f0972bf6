package assist

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// fileScheme is what a text begins with that stands for a file in later versions.
const fileScheme = "file://"

// addPaths adds the files and folders that a path could go on with. Only what is
// typed of the last name in it is replaced.
func (c *completer) addPaths(s schemaContext, n *yaml.Node) {
	typed := strings.TrimLeft(c.typedPrefix(), `"'`)
	scheme := strings.HasPrefix(typed, fileScheme)
	if c.host.ReadDir == nil || !scheme && !c.acceptsPath(s, n) {
		return
	}
	folder, _ := path.Split(strings.TrimPrefix(typed, fileScheme))
	start := c.offset - len(typed) + strings.LastIndexByte(typed, '/') + 1
	end := max(c.offset, c.word.Start+len(strings.TrimRight(c.body[c.word.Start:c.word.End], `"'`)))
	lead := ""
	if c.needsSpace {
		lead = " "
	}
	for _, e := range c.host.ReadDir(path.Clean(folder)) {
		item := CompletionItem{Label: e.Name, Kind: FileItem, Edit: text.Edit{Span: text.Span{Start: start, End: end}, New: lead + e.Name}}
		if c.json && c.word.Empty() {
			item.Edit.New = lead + quoteJSON(e.Name)
		}
		if e.IsDir {
			item.Label, item.Kind, item.Retrigger = e.Name+"/", FolderItem, true
			item.Edit.New += "/"
		}
		c.items = append(c.items, item)
	}
}

// acceptsPath reports whether a value is, or may be, the path of a file or folder.
func (c *completer) acceptsPath(s schemaContext, n *yaml.Node) bool {
	f := s.Field
	if f == nil {
		f = enclosingField(c.part, n)
	}
	if f == nil || !acceptsText(s.Type) {
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
