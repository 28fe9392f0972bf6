package assertion

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/pattern"
)

// xml checks that the output is an XML document, or has one, with all required elements.
func (c *call) xml() (result, error) {
	var required []string
	switch v := c.Value.(type) {
	case nil:
		if c.HasValue {
			return result{}, refused("its `value` is null")
		}
	case string:
		for name := range strings.SplitSeq(v, ",") {
			required = append(required, strings.TrimSpace(name))
		}
	case map[string]any:
		list, isList := v["requiredElements"].([]any)
		if !isList && len(v) > 0 {
			return result{}, refused("its `value` is not a text, a list or an object with `requiredElements`")
		}
		for _, name := range list {
			required = append(required, nunjucks.String(name))
		}
	case []any:
		for _, name := range v {
			required = append(required, nunjucks.String(name))
		}
	default:
		return result{}, refused("its `value` is not a text, a list or an object with `requiredElements`")
	}
	if c.Type == "is-xml" {
		missing, err := missingElements(c.output, true, required)
		switch {
		case err != nil:
			return verdict(c.Inverse, "the output is not XML: %s", err)
		case len(missing) > 0:
			return verdict(c.Inverse, "the XML lacks the elements `%s`", strings.Join(missing, "`, `"))
		}
		return verdict(!c.Inverse, "the output is XML")
	}
	for _, piece := range xmlPieces(c.output) {
		if missing, err := missingElements(piece, false, required); err == nil && len(missing) == 0 {
			return verdict(!c.Inverse, "the output contains XML")
		}
	}
	return verdict(c.Inverse, "the output contains no XML with the required elements")
}

// missingElements returns the required paths that an XML text lacks. A document has one root and no
// text around it.
func missingElements(markup string, document bool, required []string) (missing []string, err error) {
	found, roots, depth := map[string]bool{}, 0, 0
	path := make([]string, 0, 16)
	d := xml.NewDecoder(strings.NewReader(markup))
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			if path = append(path, fullName(t.Name)); len(required) == 0 {
				continue
			}
			here := strings.Join(path, ".")
			found[here] = true
			for _, a := range t.Attr {
				found[here+".@_"+fullName(a.Name)] = true
			}
		case xml.EndElement:
			if depth == 0 || path[depth-1] != fullName(t.Name) {
				return nil, refused("`</%s>` closes nothing", fullName(t.Name))
			}
			depth--
			path = path[:depth]
		case xml.CharData:
			if document && depth == 0 && strings.TrimSpace(string(t)) != "" {
				return nil, refused("there is text outside the root")
			}
		}
	}
	if depth > 0 || document && roots != 1 {
		return nil, refused("it has no single root that is closed")
	}
	for _, p := range required {
		if !found[p] {
			missing = append(missing, p)
		}
	}
	return missing, nil
}

func fullName(n xml.Name) string { return strings.TrimPrefix(n.Space+":"+n.Local, ":") }

var tagStart = pattern.New(`<[\p{L}_:]`)

// xmlPieces returns the parts of a text that may be XML: several elements beside each other as one,
// and then each by itself.
func xmlPieces(output string) (pieces []string) {
	first, last := -1, 0
	for at := 0; ; {
		m := tagStart().FindStringIndex(output[at:])
		if m == nil {
			break
		}
		start := at + m[0]
		d := xml.NewDecoder(strings.NewReader(output[start:]))
		token, err := d.Token()
		if _, isStart := token.(xml.StartElement); err != nil || !isStart || d.Skip() != nil {
			at = start + 1
			continue
		}
		at = start + int(d.InputOffset())
		pieces = append(pieces, output[start:at])
		if last = at; first < 0 {
			first = start
		}
	}
	if len(pieces) > 1 {
		pieces = append(pieces, output[first:last])
	}
	return pieces
}

// htmlSigns each count towards a text that contains HTML.
var htmlSigns = []struct {
	sign  pattern.Lazy
	worth int
}{
	{pattern.New(`(?s)<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?>.*</[a-zA-Z][a-zA-Z0-9-]*\s*>|</[a-zA-Z][a-zA-Z0-9-]*\s*>.*<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?>`), 1},
	{pattern.New(`</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?>`), 1},
	{pattern.New(`<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?/>`), 1},
	{pattern.New(`&(?:[a-zA-Z]+|#[0-9]+|#x[0-9a-fA-F]+);`), 1},
	{pattern.New(`(?i)<!DOCTYPE\s+html`), 2},
	{pattern.New(`<!--[^-]*(?:-[^-]+)*-->`), 1},
	{pattern.New(`\s[a-zA-Z-]+=\s*["'][^"']*["']`), 1},
	{pattern.New(`(?i)<(html|head|body|div|span|p|a|img|h[1-6]|ul|ol|li|table|tr|td|th|form|input|button|script|style|link|meta|br|hr)\b`), 2},
}

func (c *call) containsHTML() (result, error) {
	worth := 0
	for _, s := range htmlSigns {
		if s.sign().MatchString(c.output) {
			worth += s.worth
		}
	}
	return verdict(worth >= 2 != c.Inverse, "the output does%s contain HTML", c.not())
}

var elements = strings.Fields("html head body title base link meta style article section nav aside h1 h2 h3 h4 h5 h6 header footer address " +
	"p hr pre blockquote ol ul li dl dt dd figure figcaption main div a em strong small s cite q dfn abbr ruby rt rp data time code var samp kbd " +
	"sub sup i b u mark bdi bdo span br wbr img iframe embed object param picture source video audio track map area svg math script noscript " +
	"canvas ins del table caption colgroup col tbody thead tfoot tr td th form label input button select datalist optgroup option textarea " +
	"output progress meter fieldset legend details summary dialog menu slot template")

// isHTML checks that the output has an element of HTML and no text outside its elements.
func (c *call) isHTML() (result, error) {
	fault := htmlFault(strings.TrimSpace(c.output))
	if fault == "" {
		return verdict(!c.Inverse, "the output is HTML")
	}
	return verdict(c.Inverse, "the output %s", fault)
}

// rawText are elements whose content is no markup.
var rawText = pattern.New(`(?is)(<(?:script|style|textarea)\b[^>]*>).*?(</(?:script|style|textarea)\s*>)`)

func htmlFault(markup string) string {
	d := xml.NewDecoder(strings.NewReader(rawText().ReplaceAllString(markup, "$1$2")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	depth, hasElement, hasBody, textOutside := 0, false, false, false
	for {
		token, err := d.Token()
		if err != nil {
			break // what is left is not read, as in a browser
		}
		switch t := token.(type) {
		case xml.ProcInst:
			if t.Target == "xml" {
				return "is XML and not HTML"
			}
		case xml.StartElement:
			name := strings.ToLower(t.Name.Local)
			depth++
			hasElement = hasElement || slices.Contains(elements, name) || strings.Contains(name, "-")
			hasBody = hasBody || name == "body"
		case xml.EndElement:
			depth--
		case xml.CharData:
			textOutside = textOutside || depth == 0 && strings.TrimSpace(string(t)) != ""
		}
	}
	switch {
	case markup == "":
		return "is empty"
	case textOutside && !hasBody:
		return "has text outside its elements"
	case !hasElement:
		return "has no element of HTML"
	}
	return ""
}
