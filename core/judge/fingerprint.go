package judge

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Fingerprint is the SHA-256 of what a judge is told, in hexadecimal: equal for
// questions that deserve the same answer. The brief is left out, being the same
// content once more, and so is what becomes of the answer.
func (q Question) Fingerprint() string {
	var content []byte
	for _, part := range []string{q.System, q.User, string(q.Schema)} {
		content = binary.BigEndian.AppendUint64(content, uint64(len(part))) // so that no part can pass for its neighbour
		content = append(content, part...)
	}
	content = binary.BigEndian.AppendUint64(content, uint64(q.Attempt))
	content = binary.BigEndian.AppendUint64(content, uint64(q.Sample))
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
