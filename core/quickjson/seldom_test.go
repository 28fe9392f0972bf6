package quickjson_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/quickjson"
)

type (
	seven  struct{ N int }
	zeroer interface{ IsZero() bool }
	absent struct{ N int }
	both   struct{}
	failed struct{}
	lists  []lists
	tree   struct{ Left, Right *tree }
	Ring   struct {
		*Ring
		N int
	}
)

func (s *seven) IsZero() bool { return s == nil || s.N == 7 }

func (a *absent) MarshalJSON() ([]byte, error) { return json.Marshal(a == nil) }

func (both) MarshalJSON() ([]byte, error) { return []byte(`"as JSON"`), nil }
func (both) MarshalText() ([]byte, error) { return []byte(`as text`), nil }

func (failed) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

// TestSeldom: what a type says of itself counts, by whatever way its values are come upon.
func TestSeldom(t *testing.T) {
	type zero struct {
		At   *seven     `json:"at,omitzero"`
		When *time.Time `json:"when,omitzero"`
		Any  zeroer     `json:"any,omitzero"`
	}
	for _, value := range []any{
		zero{At: &seven{7}}, zero{At: &seven{8}}, zero{When: new(time.Time)}, zero{Any: &seven{7}}, zero{Any: (*seven)(nil)},
		struct{ M json.Marshaler }{(*absent)(nil)}, &struct{ M json.Marshaler }{(*absent)(nil)}, struct{ M any }{(*absent)(nil)},
		struct{ M encoding.TextMarshaler }{both{}}, []encoding.TextMarshaler{both{}, nil}, []both{{}},
		failed{}, &struct{ F failed }{}, []*failed{{}}, &struct{ R json.RawMessage }{json.RawMessage("bad")},
		struct {
			F func() `json:",omitempty"`
		}{},
		Ring{N: 1}, &Ring{Ring: &Ring{N: 2}, N: 1}, tree{Left: &tree{}},
	} {
		alike(t, value)
	}
}

// TestCircles: values that lead to themselves end, by each way that there is.
func TestCircles(t *testing.T) {
	all := lists{nil, nil}
	all[0], all[1] = all, all
	some := []any{nil, nil}
	some[0], some[1] = some, some
	wood := &tree{}
	wood.Left, wood.Right = wood, wood
	for _, value := range []any{all, some, wood, []any{wood}} {
		_, failed := quickjson.Marshal(value, false)
		if _, err := library(value, false); failed == nil || failed.Error() != err.Error() {
			t.Errorf("%T: %v, not %v", value, failed, err)
		}
	}
	deep := any(1)
	for range 3000 {
		deep = []any{deep}
	}
	alike(t, deep)
}
