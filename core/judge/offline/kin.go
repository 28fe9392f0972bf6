package offline

import (
	"strings"
	"sync"
)

// root is what words are compared by: the stem, or that of the first word of
// its kin.
func root(text string) string {
	text = stem(text)
	kin.once.Do(readKin)
	if first := kin.first[text]; first != "" {
		return first
	}
	return text
}

// negation is the root of words that deny: the first of its kin.
const negation = "not"

// kin are words that criteria and answers use for one another, by stem. They are told
// apart when one is first asked for, as those of a [set] are.
var kin struct {
	once  sync.Once
	first map[string]string // of its kin
}

func readKin() {
	kin.first = map[string]string{}
	for group := range strings.Lines(kindred) {
		group := strings.Fields(group)
		for _, text := range group {
			kin.first[stem(text)] = stem(group[0])
		}
	}
}

// kindred are they, a line for each kin. There are few on purpose: this is a
// convenience for common phrases, no thesaurus.
const kindred = `apologise apology sorry regret
telephone phone
email mail
link url
cost price fee
buy purchase
begin start
fast quick rapid
fix repair
delete remove
mistake error
photo picture image
shop store
closed shut
broken broke break
send sent
lose lost loss
greet hello hi dear
thank thanks
minute min
hour h hrs
euro eur
dollar usd
percent pct
kilogram kg
kilometre kilometer km
not no never cannot none neither nor without
`
