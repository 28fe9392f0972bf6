package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Identity is everything about the model that its answers depend on, as a
// SHA-256: all but its key, and how patiently it is asked.
func (m Model) Identity() string {
	settings := m.Model
	settings.Key = ""
	if settings.Base == "" {
		settings.Base = m.Provider.BaseURL
	}
	encoded, _ := json.Marshal(settings) // texts and numbers, which always can be
	sum := sha256.Sum256(append([]byte(m.Provider.Name+" "), encoded...))
	return hex.EncodeToString(sum[:])
}
