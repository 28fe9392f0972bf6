package quickjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/quickjson"
)

// library is a value as encoding/json writes it.
func library(value any, html bool) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(html)
	err := encoder.Encode(value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// alike fails if a value is not written as encoding/json writes it.
func alike(t *testing.T, value any) {
	t.Helper()
	for _, html := range []bool{false, true} {
		got, failed := quickjson.Marshal(value, html)
		want, err := library(value, html)
		if fmt.Sprint(failed) != fmt.Sprint(err) {
			t.Errorf("%#v: %v, not %v", value, failed, err)
		} else if err == nil && string(got) != want {
			t.Errorf("%#v is written as %s, not %s", value, got, want)
		}
	}
}

type (
	word  string
	loud  string
	soft  struct{ at int }
	inner struct {
		Text string `json:"text,omitempty"`
		Deep *inner `json:"deep,omitempty"`
	}
	Base   struct{ A, B int }
	Other  struct{ A, C int }
	hidden struct{ D int }
	never  struct{ N int }
	outer  struct {
		Base
		*inner
		Skip    string          `json:"-"`
		small   int             //nolint
		Plain   string          `json:"plain"`
		Word    word            `json:"word,omitempty"`
		Loud    loud            `json:"loud"`
		Soft    soft            `json:"soft"`
		At      *soft           `json:"at"`
		Yes     bool            `json:"yes,omitempty"`
		N       int             `json:"n,omitempty"`
		F       float64         `json:"f"`
		Maybe   *float64        `json:"maybe,omitempty"`
		List    []inner         `json:"list"`
		Short   []string        `json:"short,omitempty"`
		Pair    [2]float64      `json:"pair"`
		Any     any             `json:"any,omitempty"`
		Map     map[string]any  `json:"map,omitempty"`
		Raw     json.RawMessage `json:"raw,omitempty"`
		Bytes   []byte          `json:"bytes,omitempty"`
		When    time.Time       `json:"when"`
		Zero    inner           `json:"zero,omitzero"`
		Empty   inner           `json:"empty,omitempty"`
		Number  json.Number     `json:"number,omitempty"`
		Err     error           `json:"err"`
		Unnamed float64
		Weights map[string]float64 `json:"weights,omitempty"`
	}
)

func (l loud) MarshalJSON() ([]byte, error) { return json.Marshal(strings.ToUpper(string(l))) }
func (s *soft) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"soft": "<%d>"}`, s.at), nil
}
func (never) MarshalText() ([]byte, error) { return nil, errors.New("never") }

func TestMarshal(t *testing.T) {
	f := 0.5
	circle := &inner{}
	circle.Deep = circle
	full := outer{
		Base: Base{1, 2}, inner: &inner{Text: "in"}, Plain: "<p>", Word: "w", Loud: "l", At: &soft{1}, Yes: true, N: -3, F: 1e-7, Maybe: &f,
		List: []inner{{Deep: &inner{Text: "deeper"}}, {}}, Short: []string{"a", ""}, Pair: [2]float64{0, 10}, Any: []any{1, "x", nil, inner{}, &f, word("w")},
		Map: map[string]any{"b": 1, "a": "<"}, Raw: json.RawMessage(` {"a" : "<"} `), Bytes: []byte("bytes"), When: time.Unix(0, 0).UTC(), Number: "12",
		Unnamed: 3, Weights: map[string]float64{"z": 1, "a": 0.25}, Zero: inner{Text: "z"}, small: 1,
	}
	for _, value := range []any{
		nil, true, 1, int8(1), uint(7), 0.1, float32(0.1), "text", word("w"), loud("l"), soft{1}, &soft{1}, []any(nil), []any{}, []int(nil), []int{1}, [1]bool{true},
		map[string]float64(nil), map[string]float64{}, map[string]float64{"a": 1e30}, map[int]string{2: "b", 1: "a"}, (*inner)(nil), new(any),
		outer{}, &outer{}, full, &full, []outer{full}, []*outer{nil, &full},
		struct {
			Base
			Other
		}{Base{1, 2}, Other{3, 4}},
		struct{ hidden }{hidden{1}},
		struct {
			A int `json:"b"`
			B int
			C int `json:"c,string"`
			D int `json:"a b"`
			E int `json:"ä"`
			F int `json:",omitempty"`
		}{1, 2, 3, 4, 5, 6},
		struct {
			W time.Time `json:"w,omitzero"`
		}{},
		json.RawMessage(`{"a":[1,"é",null,true]}`), json.RawMessage(nil), json.RawMessage(`{`), json.RawMessage("\"\u2028<\""), json.RawMessage(`1e3`),
		math.NaN(), []float64{math.Inf(1)}, map[string]float64{"x": math.NaN()}, never{}, func() {}, struct{ C chan int }{}, circle, errors.New("x"),
	} {
		alike(t, value)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a longer plain text", "seven b", "eight by", "\x00\x1f\x7f", "\b\f\n\r\t", `"\/`, "<b>&amp;</b>",
		"Straße, 評価", "\u2028\u2029", "\xff\xc3", "eight by\x01", "eight by\"eight by\\", "1234567\x801234567", "é\xe9é", " !#[]^_",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { alike(t, s) })
}

func FuzzNumber(f *testing.F) {
	for _, n := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-6, 9e-7, 1e20, 1e21, 1 << 53, 1<<53 + 2, -1 << 63, 1 << 62, 1.5, math.MaxFloat64, math.Inf(1), math.NaN()} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n float64) { alike(t, []any{n, map[string]float64{"n": n}}) })
}

// texts are read by the fuzz tests first.
var texts = []string{
	`{}`, `[]`, ` [ ] `, `{"a":1}`, `{"a":{"b":[true,false,null]},"c":"d"}`, `"x"`, `""`, `"a\n\"\\\/\t\r"`, `"é"`, `"\u00e9"`, "\"\xff\"", "\"\n\"",
	`0`, `-0`, `01`, `-`, `1.5`, `1.`, `.5`, `1e3`, `12345678901234567890`, `1e999`, `nul`, `null`, `true`, `truex`, `[1,]`, `[,1]`, `[1 2]`, `{"a"}`, `{"a":}`, `{,}`,
	`{"a":1,}`, `{"a":1 "b":2}`, `{"a":1,"a":2}`, `[1]x`, `"x`, `"x\`, `"\x"`, `{"A":1}`, ``, ` `, `[`, `{"a":[`, `]`, "\x00", `[[[[[[[[]]]]]]]]`, strings.Repeat("[", 200) + strings.Repeat("]", 200),
	`{"name":"Rex","legs":4,"likes":[{"what":"bones"},{},null],"extra":{"a":[1, 2]}}`,
	`{"name":null,"legs":null,"likes":null,"extra":null,"good":null,"size":null,"any":null}`, `{"name":1}`, `{"legs":1.0}`, `{"legs":"4"}`, `{"likes":{}}`, `{"Name":"Rex"}`,
	`{"likes":[{"what":"a","else":[{}]}]}`, `{"extra": "x" }`, `{"\u006eame":"Rex"}`, `{"legs":99999999999999999999}`, `[{"name":"Rex"}]`, `{"likes":[],"likes":[{}]}`,
	`{"good":true,"size":-0.5,"any":[{"a":1}],"when":"1970-01-01T00:00:00Z","owner":{"name":"x"}}`, `{"good":1}`, `{"size":"1"}`, `{"good":fals}`, `{"owner":null}`, `{"any":{"a":1,"a":[]}}`,
	`{"what":{"kind":"k"}}`, `{"ſize":1}`,
}

type pet struct {
	Name  string `json:"name"`
	Legs  int    `json:"legs"`
	Likes []struct {
		What word `json:"what"`
	} `json:"likes"`
	Extra json.RawMessage `json:"extra"`
	Good  bool            `json:"good"`
	Size  float64         `json:"size"`
	Any   any             `json:"any"`
	When  time.Time       `json:"when"`
	Owner *pet            `json:"owner"`
	What  struct {
		Kind string `json:"kind"`
	} `json:"what"`
}

// read reads a text, and has encoding/json read it.
func read[T any](t *testing.T, text string) (ok bool) {
	t.Helper()
	var got, want T
	err := json.Unmarshal([]byte(text), &want)
	if ok = quickjson.Read(text, &got); ok && (err != nil || !reflect.DeepEqual(got, want)) {
		t.Errorf("%s is %+v, not %+v (%v)", text, got, want, err)
	}
	var either T
	if failed := quickjson.Unmarshal(text, &either); fmt.Sprint(failed) != fmt.Sprint(err) || !reflect.DeepEqual(either, want) {
		t.Errorf("%s is %+v (%v), not %+v (%v)", text, either, failed, want, err)
	}
	return ok
}

// FuzzRead: what is read is what encoding/json reads.
func FuzzRead(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read[any](t, text)
		read[pet](t, text)
		read[[]int](t, text)
		read[json.RawMessage](t, text)
	})
}

// TestRead: what is usual is read.
func TestRead(t *testing.T) {
	for _, text := range append(texts[:8:8], `{"name": "R\"ex", "legs": 4, "more": [{"a": 1.5}], "likes": [{"what": "é"}], "good": false, "any": {}, "extra": [ ]}`) {
		if !read[any](t, text) || strings.HasPrefix(text, "{") && !read[pet](t, text) {
			t.Errorf("%s is not read", text)
		}
	}
}
