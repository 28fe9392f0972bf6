package rouge_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric/rouge"
)

func words(cut func(string) []string, text string) string { return strings.Join(cut(text), " ") }

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, ascii, unicode string }{
		{"nothing", "", "", ""},
		{"signs alone", "… -- !", "", ""},
		{"short words keep their endings", "The was 1st", "the was 1st", "the was 1st"},
		{"longer ones lose them", "Cats hopping, this_year!", "cat hop thi year", "cat hop thi year"},
		{"an amount", "$1,234.50", "1 234 50", "1 234 50"},
		{"accents", "réservations", "r servat", "réservations"},
		{"a loose accent", "cafe\u0301", "cafe", "café"},
		{"full width", "ＲＵＮＮＩＮＧ", "", "run"},
		{"Kelvin", "5 \u212Aelvin", "5 kelvin", "5 kelvin"},
		{"a dotted I", "\u0130stanbul", "i stanbul", "i\u0307stanbul"},
		{"a final sigma", "ΟΔΟΣ ΣΑΣ", "", "οδος σας"},
		{"a keycap", "1\uFE0F\u20E3", "1", "1\uFE0F\u20E3"},
		{"Chinese", "你好，世界", "", "你 好 世 界"},
		{"Thai", "สวัสดี", "", "ส วั ส ดี"},
		{"Latin after Thai", "กabc abcก", "abc abc", "กabc abc ก"},
		{"Hangul of loose letters", "\u1112\u1161\u11ab국", "", "한 국"},
		{"bytes that are no text", "a\xff\xfeb", "a b", "a b"},
	} {
		if got := words(rouge.ASCIIWords, c.text); got != c.ascii {
			t.Errorf("%s: ASCII gives %q, want %q", c.name, got, c.ascii)
		}
		if got := words(rouge.UnicodeWords, c.text); got != c.unicode {
			t.Errorf("%s: Unicode gives %q, want %q", c.name, got, c.unicode)
		}
	}
}

// TestStem takes words of the papers and of NLTK's own examples.
func TestStem(t *testing.T) {
	words := strings.Fields(`caresses flies dies mules denied died agreed owned humbled sized meeting stating siezing itemization
		sensational traditional reference colonizer plotted ponies ties cats feed plastered bled motoring sing conflated troubled
		hissing fizzed failing filing happy enjoy spied relational rational radically vietnamization decisiveness hopefulness
		formality sensibility triplicate formative electricity goodness allowance adjustable adoption communism probate controlling
		roll geology archaeology hopefully skies inning by oo yyyyy`)
	want := strings.Fields(`caress fli die mule deni die agre own humbl size meet state siez item
		sensat tradit refer colon plot poni tie cat feed plaster bled motor sing conflat troubl
		hiss fizz fail file happi enjoy spi relat ration radic vietnam decis hope
		formal sensibl triplic form electr good allow adjust adopt commun probat control
		roll geolog archaeolog hope sky inning by oo yyyyy`)
	for i, word := range words {
		if got := rouge.Stem(word); got != want[i] {
			t.Errorf("%s: %s, want %s", word, got, want[i])
		}
	}
}

func TestOne(t *testing.T) {
	for _, c := range []struct {
		name, candidate, reference string
		precision, recall, f       float64
	}{
		{"two empty texts", "", "", 0, 0, 0},
		{"the same", "Equal text", "equal, text.", 1, 1, 1},
		{"repeated words count once", "the the the", "the", 1. / 3, 1, 0.5},
		{"a part", "A calm grey cat sleeps.", "A calm grey cat sleeps under the wide bed.", 1, 5. / 9, 5. / 7},
	} {
		got := rouge.Rouge1(rouge.UnicodeWords, c.candidate, c.reference)
		for i, pair := range [][2]float64{{got.Precision, c.precision}, {got.Recall, c.recall}, {got.F, c.f}} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s: number %d is %v, want %v", c.name, i, pair[0], pair[1])
			}
		}
	}
}

// FuzzOne: the score is a proportion, the same either way round, and 1 for a
// text with words and itself.
func FuzzOne(f *testing.F) {
	f.Add("Second trial run.", "It was one odd run.")
	f.Add("ส วัสดี a", "ΟΔΟΣ\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, cut := range []func(string) []string{rouge.ASCIIWords, rouge.UnicodeWords} {
			s, turned := rouge.Rouge1(cut, a, b), rouge.Rouge1(cut, b, a)
			if s.Precision != turned.Recall || s.F < 0 || s.F > 1 {
				t.Errorf("%v and %v", s, turned)
			}
			worded := len(cut(a)) > 0
			if self := rouge.Rouge1(cut, a, a); worded != (self.F == 1) {
				t.Errorf("%q with itself is %v", a, self)
			}
		}
	})
}

// BenchmarkOne compares two texts of 100 kB each; a bare search for words in the
// same texts beside it is the yardstick.
func BenchmarkOne(b *testing.B) {
	for _, c := range []struct{ name, sentence string }{
		{"english", "The customer asked about refunds and the agent patiently explained shipping policies again, number %. "},
		{"accents", "Le client a demandé où étaient ses réservations; l'agent a répété les règles, numéro %. "},
		{"thai", "สวัสดีครับ ผมต้องการยกเลิกการจอง หมายเลข % ขอบคุณมาก "},
	} {
		var text strings.Builder
		for i := 0; text.Len() < 100_000; i++ {
			text.WriteString(strings.ReplaceAll(c.sentence, "%", strings.Repeat("x", i%17)+string(rune('a'+i%26))))
		}
		left, right := text.String(), text.String()[500:]+text.String()[:500]
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(left) + len(right)))
			for b.Loop() {
				rouge.Rouge1(rouge.UnicodeWords, left, right)
			}
		})
		b.Run(c.name+"/yardstick-fields", func(b *testing.B) {
			b.SetBytes(int64(len(left) + len(right)))
			for b.Loop() {
				strings.Fields(strings.ToLower(left))
				strings.Fields(strings.ToLower(right))
			}
		})
	}
}
