package rubric

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// Message is one message of a conversation. Content is a string or any JSON value: a list of
// {type, value} parts, or structured data.
type Message struct {
	Role      string `json:"role"`
	Name      string `json:"name,omitempty"`
	Content   any    `json:"content,omitempty"`
	ToolCalls any    `json:"tool_calls,omitempty"`

	Parts []Part `json:"-"` // Content as the host or the dialect has read it; nil: as [NewParts] reads it
}

// Conversation is the part of a case that the target answers turn by turn, after Input. The
// case's first graders, one for each turn, have the kind [Turn] and grade that turn's answer. A
// last one of the kind [Transcript] grades the whole, if the case has graders of its own.
type Conversation struct {
	Turns         []TurnInput
	Aggregation   string `json:",omitempty"` // of the turns' scores: mean, which is the default, min or max
	StopAtFailure bool   `json:",omitempty"` // later turns fail without being asked
	Window        int    `json:",omitempty"` // number of turns that the target is sent; 0 means all
	Unsupported   string `json:",omitempty"` // why the case cannot be run
}

// Asked returns all messages that the file sends to the target.
func (c *Case) Asked() []Message {
	messages := c.Input
	if c.Conversation != nil {
		messages = slices.Clone(messages)
		for _, turn := range c.Conversation.Turns {
			messages = append(messages, turn.Input...)
		}
	}
	return messages
}

// TurnInput is what the user says in a turn, and a good answer, if the file has one.
type TurnInput struct {
	Input           []Message
	Expected        []Message `json:",omitempty"`
	ReferenceAnswer string    `json:",omitempty"`
}

// Part is a text, a file or a picture in a message. The host finds and reads files.
type Part struct {
	Text  string // the text, or the file's text
	File  string // the file's path as the file refers to it; "" for a text
	Path  string // the file's absolute path; "" if it was not found
	Named string // the path by which a program is told of the file, as in the reference: File or Path; for a text, what a program gets in its place, or ""
	Image bool   // the file is a picture

	Guideline bool // the project's settings make the file a guideline, which targets are given apart
}

// NewParts returns the texts, files and pictures of a message's content. Data becomes its JSON.
func NewParts(content any) (parts []Part) {
	switch c := content.(type) {
	case string:
		if strings.TrimSpace(c) != "" {
			parts = append(parts, Part{Text: c})
		}
	case []any:
		for _, item := range c {
			if fields, isMap := item.(map[string]any); isMap {
				parts = append(parts, newPart(fields)...)
			} else if text, isText := item.(string); isText {
				parts = append(parts, NewParts(text)...)
			}
		}
	case map[string]any:
		text, _ := EncodeIndented(c) // "" for an infinity, which [Case.FiniteFingerprint] reports
		parts = append(parts, Part{Text: text})
	}
	return parts
}

func newPart(fields map[string]any) []Part {
	value, _ := fields["value"].(string)
	switch kind := fields["type"]; {
	case kind == "text":
		return NewParts(value)
	case (kind == "file" || kind == "image") && value != "":
		return []Part{{File: strings.TrimLeft(value, `/\`), Image: kind == "image"}}
	}
	return nil
}

// EncodeIndented returns a value as JSON with an indent of two. JSON cannot hold infinity or NaN.
func EncodeIndented(value any) (string, error) {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// IsFile reports whether the part refers to a file.
func (p Part) IsFile() bool { return p.File != "" }

// inline returns the part for a reader without files: a file with its text.
func (p Part) inline() string {
	switch text := strings.TrimSpace(p.Text); {
	case p.Guideline:
	case p.File == "":
		return p.Text
	case text != "":
		return `<file path="` + p.File + "\">\n" + text + "\n</file>"
	}
	return ""
}

// named returns the part for a program, which opens files by itself.
func (p Part) named() string {
	switch {
	case p.Guideline:
	case p.File == "":
		return cmp.Or(p.Named, p.Text)
	case p.Path != "" && !p.Image:
		return `<file: path="` + p.Named + `">`
	}
	return ""
}

// Text returns the message's text, with the texts of its files.
func (m Message) Text() string { return strings.Join(m.texts(Part.inline), "\n") }

func (m Message) parts() []Part {
	if m.Parts != nil {
		return m.Parts
	}
	return NewParts(m.Content)
}

// Attachments returns the parts that are not in the message's text: pictures and guidelines.
func (m Message) Attachments() []Part {
	return slices.DeleteFunc(slices.Clone(m.parts()), func(p Part) bool { return !p.Image && !p.Guideline })
}

func (m Message) texts(form func(Part) string) (texts []string) {
	for _, p := range m.parts() {
		if text := form(p); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func (m Message) isVisible() bool {
	return slices.ContainsFunc(m.parts(), func(p Part) bool { return strings.TrimSpace(p.Text) != "" && !p.Guideline })
}

// WithFiles returns the message with the paths and texts of its files in Content, as the
// reference's later versions give it to programs.
func (m Message) WithFiles() Message {
	items, isList := m.Content.([]any)
	if !isList {
		return m
	}
	items = slices.Clone(items)
	for i, item := range items {
		fields, _ := item.(map[string]any)
		for _, part := range newPart(fields) {
			at := slices.IndexFunc(m.Parts, func(p Part) bool { return p.File == part.File && p.Path != "" && !p.Image })
			if at >= 0 && part.File != "" {
				fields = maps.Clone(fields)
				fields["path"], fields["resolved_path"], fields["text"] = part.File, m.Parts[at].Path, m.Parts[at].Text
				items[i] = fields
			}
		}
	}
	m.Content = items
	return m
}

// HasRoles reports whether a conversation needs its roles to be understood: it has more than one
// message with text, or one that is not the user's or the system's.
func HasRoles(messages []Message) bool {
	visible := 0
	for _, m := range messages {
		if m.Role == "assistant" || m.Role == "tool" {
			return true
		}
		if m.isVisible() {
			visible++
		}
	}
	return visible > 1
}

// ConversationText returns a conversation as one text, with the texts of its files. Where roles
// matter, a line `@[Role]:` begins each message, as in AgentV (prompt-builder.ts).
func ConversationText(messages []Message) string { return conversationText(messages, Part.inline) }

// NamedFilesText is [ConversationText] with the paths of files in place of their texts.
func NamedFilesText(messages []Message) string { return conversationText(messages, Part.named) }

func conversationText(messages []Message, form func(Part) string) string {
	var texts []string
	marked := HasRoles(messages)
	part := func(p Part) string {
		if p.Guideline && marked {
			return "<Attached: " + p.File + ">"
		}
		return form(p)
	}
	for _, m := range messages {
		switch parts := m.texts(part); {
		case !marked:
			for _, text := range parts {
				texts = append(texts, strings.TrimSpace(text))
			}
		case m.isVisible() && len(parts) > 0:
			texts = append(texts, "@["+roleLabel(m.Role)+"]:\n"+strings.Join(parts, "\n"))
		}
	}
	return strings.Join(texts, "\n\n")
}

// SentMessages returns the messages of a conversation as a target is sent them: each as a text that names its
// files, or all as one question where roles do not matter.
func SentMessages(messages []Message) (sent []Message) {
	if !HasRoles(messages) {
		return []Message{{Role: "user", Content: NamedFilesText(messages)}}
	}
	for _, m := range messages {
		if m.isVisible() {
			sent = append(sent, Message{Role: m.Role, Name: m.Name, Content: strings.Join(m.texts(Part.named), "\n")})
		}
	}
	return sent
}

// GuidelineText returns the texts of the guidelines that messages refer to, each with its name.
func GuidelineText(messages []Message) string {
	var texts []string
	eachGuideline(messages, func(p Part) {
		name := path.Base(strings.ReplaceAll(p.Path, `\`, "/"))
		texts = append(texts, Part{File: name, Text: p.Text}.inline())
	})
	return strings.Join(texts, "\n\n")
}

// GuidelineFiles returns the paths of the guidelines that messages refer to.
func GuidelineFiles(messages []Message) (paths []string) {
	eachGuideline(messages, func(p Part) {
		if !slices.Contains(paths, p.Path) {
			paths = append(paths, p.Path)
		}
	})
	return paths
}

func eachGuideline(messages []Message, visit func(Part)) {
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Guideline && p.Path != "" {
				visit(p)
			}
		}
	}
}

func roleLabel(role string) string {
	return strings.ToUpper(role[:min(1, len(role))]) + role[min(1, len(role)):]
}

// PlainText returns the texts of a conversation on one line, without roles and files. The oldest
// version of the reference gives it to programs.
func PlainText(messages []Message) string {
	var texts []string
	for _, m := range messages {
		for _, p := range m.parts() {
			if text := strings.TrimSpace(p.Text); text != "" && p.File == "" {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, " ")
}
