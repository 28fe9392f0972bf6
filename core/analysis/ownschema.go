package analysis

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ownSchema is the JSON Schema that the author of a file has named for it, divided
// as the file is. Nil stands for none.
type ownSchema struct {
	lint.OwnSchema            // of what stands around the pieces
	item           lint.Apply // to a piece
	undivided      bool       // it is for all of the file only
}

// dividedSchema finds the schema of a file whose list under key is taken out.
func dividedSchema(frame *yaml.Tree, schemas lint.Schemas, key string) *ownSchema {
	named := lint.OwnSchemaOf(frame)
	if named == nil {
		return nil
	}
	s := &ownSchema{OwnSchema: *named}
	if schema := s.find(schemas); schema != nil {
		s.Apply, s.item = schema.Divide(key)
		s.undivided = s.Apply == nil
	}
	return s
}

// find is the schema, if somebody has it.
func (s *ownSchema) find(schemas lint.Schemas) (schema *lint.Schema) {
	if schemas != nil && !s.Remote() {
		schema, s.Err = schemas(s.Reference)
	}
	return schema
}

// whole reports whether the schema does not let the file be divided.
func (s *ownSchema) whole() bool { return s != nil && s.undivided }

// reference tells schemas apart.
func (s *ownSchema) reference() string {
	if s == nil {
		return ""
	}
	return "\n$schema=" + s.Reference
}

// ownSchema is the author's schema as it is applied to a part.
func (x *context) ownSchema(p *Part) *lint.OwnSchema {
	switch {
	case p.Role == agentv.Cases:
		return nil
	case x.form == undivided:
		named := lint.OwnSchemaOf(p.Tree)
		if named == nil {
			return nil
		}
		s := &ownSchema{OwnSchema: *named}
		if schema := s.find(x.input.Schemas); schema != nil {
			s.Apply = schema.Apply
		}
		return &s.OwnSchema
	case x.own == nil:
		return nil
	case p.key == nil:
		return &x.own.OwnSchema
	case x.own.item == nil:
		return nil
	}
	item := x.own.OwnSchema
	item.Apply, item.Item, item.Span = x.own.item, true, item.Span.Shift(text.Far)
	return &item
}
