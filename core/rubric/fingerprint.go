package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Fingerprint is the SHA-256 of what the case means, in hexadecimal. Where it
// stands in a file, and how it is written there, make no difference.
func (c *Case) Fingerprint() string { return Digest(c) }

// CheckFinite returns an error if the case holds an infinity or NaN: nothing can be scored
// with it, and no result that holds it can be written.
func (c *Case) CheckFinite() error {
	if _, err := json.Marshal(c); err != nil {
		return errors.New("the case has a number that is infinite or NaN, which cannot be scored; write a finite one")
	}
	return nil
}

// ContextFingerprint is the fingerprint of the case without its graders and its threshold:
// what every grade in it depends on.
func (c *Case) ContextFingerprint() string {
	bare := *c
	bare.Graders, bare.Threshold = nil, nil
	return Digest(&bare)
}

// Fingerprint is that of what the grader looks at and how, without its criteria
// and its members, which have their own, and without what only counts its score.
func (g *Grader) Fingerprint() string {
	settings := *g
	settings.Criteria, settings.Members = nil, nil
	settings.Name, settings.Weight, settings.Required, settings.MinScore = "", 0, false, nil
	return Digest(&settings)
}

// Fingerprint is that of what a judge is told of the criterion: its text and
// bands. What it weighs, and whether it is a gate, changes no grade. Neither does
// an id that the runner made up, which says only where the criterion stands.
func (c *Criterion) Fingerprint() string {
	judged := Criterion{ID: c.ID, Text: c.Text, Bands: c.Bands, Operator: c.Operator}
	if c.AutoID {
		judged.ID = ""
	}
	return Digest(&judged)
}

// Digest is the SHA-256 of a value's meaning, in hexadecimal, by its JSON: spans
// are not part of it.
func Digest(value any) string {
	text, err := json.Marshal(value)
	if err != nil { // JSON has no infinity and no NaN
		text = fmt.Append(nil, err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
