package metric

import "strings"

// Text is the texts of the parts, one a line. It is false for a content without
// parts; one whose parts hold no text has an empty one.
func (c *Content) Text() (text string, ok bool) {
	switch {
	case c == nil || len(c.Parts) == 0:
		return "", false
	case len(c.Parts) == 1:
		return c.Parts[0].Text, true
	}
	return strings.Join(c.textParts(), "\n"), true
}

// textParts are the parts that are texts.
func (c *Content) textParts() []string {
	var all []string
	if c != nil {
		for _, p := range c.Parts {
			if p.Text != "" {
				all = append(all, p.Text)
			}
		}
	}
	return all
}

// Answer is the text of the final response; whole also that of the answers on
// the way to it, one a line. It is false when there is none.
func (i Invocation) Answer(whole bool) (text string, ok bool) {
	if !whole {
		return i.Final.Text()
	}
	var all []string
	for _, e := range append(i.Events[:len(i.Events):len(i.Events)], i.IntermediateResponses...) {
		if text, _ := e.Content.Text(); text != "" {
			all = append(all, text)
		}
	}
	if text, _ := i.Final.Text(); text != "" {
		all = append(all, text)
	}
	return strings.Join(all, "\n"), len(all) > 0
}

// userText is what the user said.
func (i Invocation) userText() string {
	text, _ := i.User.Text()
	return text
}

// FinalAnswers are the texts of the final responses, one a paragraph.
func FinalAnswers(turns []Invocation) string {
	var all []string
	for _, t := range turns {
		if answer, _ := t.Answer(false); answer != "" {
			all = append(all, answer)
		}
	}
	return strings.Join(all, "\n\n")
}
