package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Identity is everything about the model that its answers depend on, as a
// SHA-256: all but its key, and how patiently it is asked.
func (m Model) Identity() string {
	known := m.Model
	known.Key = ""
	if known.Base == "" {
		known.Base = m.Provider.Base
	}
	said, _ := json.Marshal(known) // texts and numbers, which always can be
	sum := sha256.Sum256(append([]byte(m.Provider.Name+" "), said...))
	return hex.EncodeToString(sum[:])
}
