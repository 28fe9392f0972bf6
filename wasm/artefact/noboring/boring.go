// Package boring takes the place of crypto/internal/boring in both modules: what SHA-256
// names of it, which is never called there. The whole of it names ciphers, and with
// them come block ciphers, other hashes and generators of random numbers that test
// themselves at the start.
package boring

import "hash"

// Enabled is whether hashes are another library's.
const Enabled = false

// NewSHA224 is never called.
func NewSHA224() hash.Hash { return nil }

// NewSHA256 is never called.
func NewSHA256() hash.Hash { return nil }

// SHA224 is never called.
func SHA224([]byte) [28]byte { return [28]byte{} }

// SHA256 is never called.
func SHA256([]byte) [32]byte { return [32]byte{} }
