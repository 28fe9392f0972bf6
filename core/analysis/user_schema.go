package analysis

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// userSchema is the JSON Schema that the author of a file has named for it, divided
// as the file is. Nil stands for none.
type userSchema struct {
	lint.UserSchema                // of what stands around the pieces
	validateItem    lint.Validator // to a piece
	isUndivided     bool           // it is for all of the file only
}

// divideUserSchema finds the schema of a file whose list under key is taken out.
func divideUserSchema(frame *yaml.Tree, schemas lint.SchemaLoader, key string) *userSchema {
	named := lint.FindUserSchema(frame)
	if named == nil {
		return nil
	}
	s := &userSchema{UserSchema: *named}
	if schema := s.load(schemas); schema != nil {
		s.Validate, s.validateItem = schema.Divide(key)
		s.isUndivided = s.Validate == nil
	}
	return s
}

// load is the schema, if somebody has it.
func (s *userSchema) load(schemas lint.SchemaLoader) (schema *lint.Schema) {
	if schemas != nil && !s.IsRemote() {
		schema, s.Err = schemas(s.Reference)
	}
	return schema
}

// needsWholeFile reports whether the schema does not let the file be divided.
func (s *userSchema) needsWholeFile() bool { return s != nil && s.isUndivided }

// digest tells schemas apart.
func (s *userSchema) digest() string {
	if s == nil {
		return ""
	}
	return "\n$schema=" + s.Reference
}

// userSchemaFor is the author's schema as it is applied to a part.
func (cc *chunkContext) userSchemaFor(p *Chunk) *lint.UserSchema {
	switch {
	case p.Role == agentv.Cases:
		return nil
	case cc.division == undivided:
		named := lint.FindUserSchema(p.Tree)
		if named == nil {
			return nil
		}
		s := &userSchema{UserSchema: *named}
		if schema := s.load(cc.input.LoadSchema); schema != nil {
			s.Validate = schema.Validate
		}
		return &s.UserSchema
	case cc.userSchema == nil:
		return nil
	case p.listKey == nil:
		return &cc.userSchema.UserSchema
	case cc.userSchema.validateItem == nil:
		return nil
	}
	item := cc.userSchema.UserSchema
	item.Validate, item.IsForItem, item.Span = cc.userSchema.validateItem, true, item.Span.Shift(text.HeaderBase)
	return &item
}
