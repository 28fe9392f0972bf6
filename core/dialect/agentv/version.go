package agentv

// Version is a release of AgentV whose behaviour is known in full, by the name
// that results and conformance cases give it.
type Version string

// The versions, oldest first.
const (
	Seed   Version = "seed"          // 2.5.8, as of 2026-02-06
	Stable Version = "stable-4.42.4" // 2026-06-19
	Head   Version = "head"          // 5.3.1-next.1, as of 2026-07-08
)
