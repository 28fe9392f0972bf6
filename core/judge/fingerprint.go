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
	var told []byte
	for _, part := range []string{q.System, q.User, string(q.Schema)} {
		told = binary.BigEndian.AppendUint64(told, uint64(len(part))) // so that no part can pass for its neighbour
		told = append(told, part...)
	}
	told = binary.BigEndian.AppendUint64(told, uint64(q.Attempt))
	told = binary.BigEndian.AppendUint64(told, uint64(q.Sample))
	sum := sha256.Sum256(told)
	return hex.EncodeToString(sum[:])
}
