package metric

// Profile chooses the version of ADK whose rules are followed.
type Profile string

const (
	// Latest is ADK 2.11.
	Latest Profile = "latest"
	// V2 is ADK 2.0: ASCII words, rubrics matched by text alone and replies paired
	// by position, conversations of different lengths cut to the shorter, and no
	// comparing of calls by name.
	V2 Profile = "2.0"
)

// Profiles are all profiles, the default one first.
var Profiles = []Profile{Latest, V2}
