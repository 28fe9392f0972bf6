package analysis

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// piece is a stretch of a file that is read by itself.
type piece struct {
	source *text.Source
	last   bool // see cutting
	ending column
	*slot
}

func newPiece(body string, last bool) piece {
	source := text.New("", body)
	return piece{source, last, ending(source), &slot{}}
}

// is reports whether a piece is that of a text.
func (p *piece) is(c cutting) bool { return p.source.Body == c.body && p.last == c.last }

// slot is where what is found of a piece is put, once: nil until it has been
// looked at. All that share the piece share it.
type slot struct{ done *checked }

// checked is what rules say of a piece, and what others have to know of it.
// Spans are those of the piece; those of the frame lie from text.Far on.
type checked struct {
	lint.Result
	kept       kept          // what memos worked out of the part
	suite      *rubric.Suite // of the part, for who is to run it; else nil
	context    *context      // in which it was looked at
	role       agentv.Role
	version    agentv.Version
	adk        adk.Role
	recognised bool
	refers     bool     // something has a span in the frame
	head       bool     // a case can only be of version Head
	defines    []string // anchors
	repeats    []string // anchors of the frame
	lost       []string // names of aliases whose anchor stands neither here nor in the frame
	unclosed   string   // brackets, of a case of ADK
	several    bool     // what was cut as a case of ADK is sound, and not one case
}

// linked reports whether other pieces or the file have to know of this one.
func (c *checked) linked() bool {
	return len(c.defines)+len(c.repeats)+len(c.lost)+len(c.unclosed) > 0 || c.head || c.several
}

// sameClaims reports whether the claims of two are as good as each other, and what
// claims are held against.
func sameClaims(a, b *checked) bool {
	if a == nil || len(a.Claims) != len(b.Claims) || !a.Supply.Same(b.Supply) {
		return false
	}
	for i := range a.Claims {
		if a.Claims[i].Key != b.Claims[i].Key || a.Claims[i].Tool != b.Claims[i].Tool || a.Claims[i].Diagnostic.Code != b.Claims[i].Diagnostic.Code || a.Claims[i].Silenced != b.Claims[i].Silenced {
			return false
		}
	}
	return true
}

// check looks at a piece.
func (x *context) check(p *piece) (c *checked) {
	if fault := diag.Guard(func() { c = x.examine(p) }); fault != nil {
		return x.faulty(p, fault)
	}
	return c
}

// faulty is what there is of a piece that cannot be looked at: a finding that says so.
// It counts as one of ours, so that a folder's check does not skip it.
func (x *context) faulty(p *piece, fault *diag.Fault) *checked {
	c := &checked{context: x, role: x.role, version: x.version, adk: x.adk, recognised: true}
	c.Found = []diag.Diagnostic{fault.Finding(lint.FirstLine(p.source))}
	return c
}

func (x *context) examine(p *piece) *checked {
	part := x.open(p)
	c := x.checkPart(part, nil, nil)
	c.context = x
	if x.form == cases {
		c.unclosed = adk.Unclosed(p.source.Body)
		c.several = part.ADK.Fault == nil && len(part.Tree.Root().List()) != 1
	}
	c.Found = lint.Sort(c.Found)
	c.refers = refersFar(c.Result)
	if x.role == later {
		for _, test := range part.Tree.Root().List() {
			c.head = c.head || newer.OnlyHead(test)
		}
	}
	for _, doc := range part.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			switch {
			case n.Kind == yaml.Alias && n.Target == nil:
				c.lost = append(c.lost, n.Value)
			case n.Kind == yaml.Alias && n.Target.Span.Start >= text.Far:
				c.repeats = append(c.repeats, n.Value)
			case n.Kind != yaml.Alias && n.Anchor != "":
				c.defines = append(c.defines, n.Anchor)
			}
			return true
		})
	}
	return c
}

// checkPart has rules look at a part: of what stands around pieces, with the anchors
// that those repeat and, of an evalset, what there is in them.
func (x *context) checkPart(part *Part, aliased map[string]bool, brief *lint.Brief) *checked {
	c := &checked{role: part.Role, version: part.Version, recognised: x.recognises(part)}
	if part.ADK != nil {
		c.adk = part.ADK.Role
	}
	if !x.input.Checked {
		pass := x.pass(part)
		pass.Aliased, pass.Brief = aliased, brief
		c.Result = lint.Check(pass)
	}
	if x.input.ToRun {
		c.suite = part.Suite
	}
	return c
}

// refersFar reports whether anything found has to do with the frame.
func refersFar(r lint.Result) bool {
	for _, d := range r.Found {
		if d.Span.Start >= text.Far {
			return true
		}
		for _, n := range d.Notes {
			if n.Span.Start >= text.Far {
				return true
			}
		}
		for _, f := range d.Fixes {
			for _, e := range f.Edits {
				if e.Span.Start >= text.Far {
					return true
				}
			}
		}
	}
	return false
}
