package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Fingerprint returns the SHA-256 of the case's definition, in hexadecimal, and that of recorded answers
// after a hyphen, or of what an agent is asked with after two. Position and notation in the file do not affect it.
func (c *Case) Fingerprint() string {
	sum, _ := c.fingerprint()
	return sum
}

func (c *Case) fingerprint() (string, error) {
	bare, recorded := *c, ""
	bare.Beyond, recorded, _ = strings.Cut(c.Beyond, "-")
	sum, err := digest(&bare)
	if recorded != "" {
		sum += "-" + recorded
	}
	return sum, err
}

// HasEqualDefinition reports whether two fingerprints are of the same definition of a case. What was
// asked of an agent counts only if one was asked for both.
func HasEqualDefinition(a, b string) bool {
	a, askedA, _ := strings.Cut(a, "-")
	b, askedB, _ := strings.Cut(b, "-")
	return a == b && (askedA == askedB || !strings.HasPrefix(askedA, "-") || !strings.HasPrefix(askedB, "-"))
}

// FiniteFingerprint returns the fingerprint, with an error if the case holds an infinity or NaN. Such a
// case cannot be scored, and its result cannot be encoded.
func (c *Case) FiniteFingerprint() (string, error) {
	sum, err := c.fingerprint()
	if err != nil {
		err = errors.New("the case has an infinite or NaN number, which cannot be scored; write a finite number")
	}
	return sum, err
}

// ContextFingerprint returns the fingerprint of the case without its graders and threshold.
// Every grade in the case depends on it.
func (c *Case) ContextFingerprint() string {
	bare := *c
	bare.Graders, bare.Threshold, bare.UnreadThreshold = nil, nil, nil
	return Digest(&bare)
}

// Fingerprint returns the fingerprint of the grader's settings. It excludes criteria and
// members, which have their own, and the settings that only weigh the score.
func (g *Grader) Fingerprint() string {
	settings := *g
	settings.Criteria, settings.Members = nil, nil
	settings.Name, settings.Weight, settings.Required, settings.MinScore = "", 0, false, nil
	return Digest(&settings)
}

// Fingerprint returns the fingerprint of the part that a judge sees: text and bands. Weight
// and gate do not affect a grade, and neither does a generated id.
func (c *Criterion) Fingerprint() string {
	judged := Criterion{ID: c.ID, Text: c.Text, Bands: c.Bands, Operator: c.Operator}
	if c.AutoID {
		judged.ID = ""
	}
	return Digest(&judged)
}

// Digest returns the SHA-256 of value's JSON, in hexadecimal. Spans are not encoded and do
// not affect it.
func Digest(value any) string {
	sum, _ := digest(value)
	return sum
}

func digest(value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil { // JSON has no infinity and no NaN
		text = fmt.Append(nil, err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
