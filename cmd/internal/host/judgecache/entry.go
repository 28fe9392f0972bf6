package judgecache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/judge"
)

// Fingerprint returns the name of an answer in a store. A key is the judge's identity and the fingerprint of a question;
// the name contains neither.
func Fingerprint(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// An entry is an answer in a store that several machines share.
type entry struct {
	Text   string      `json:"text"`
	Model  string      `json:"model,omitempty"`
	Usage  judge.Usage `json:"usage,omitzero"`
	SHA256 string      `json:"sha256"` // of what it is, by which a changed entry is found
}

func (e entry) sum(name string) string { return Fingerprint(name + "\x00" + e.Text + "\x00" + e.Model) }

// EncodeEntry returns an answer as a shared store holds it under a name.
func EncodeEntry(name string, a judge.Answer) ([]byte, error) {
	e := entry{Text: a.Text, Model: a.Model, Usage: a.Usage}
	e.SHA256 = e.sum(name)
	return json.Marshal(e)
}

// DecodeEntry returns the answer that a shared store holds under a name. A damaged one counts as absent: it is asked for
// again, and replaced.
func DecodeEntry(name string, body []byte) (a judge.Answer, found bool) {
	var e entry
	if json.Unmarshal(body, &e) != nil || e.SHA256 != e.sum(name) {
		return a, false
	}
	return judge.Answer{Text: e.Text, Model: e.Model, Usage: e.Usage}, true
}
