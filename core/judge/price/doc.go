// Package price is what models charge, and what may be spent on them.
//
// A [Table] has rates by provider and model: the built-in one is dated, and
// whoever knows better hands in another. What is in no table is unknown, and
// never free. A [Budget] notes what answers cost, and lets no question through
// that might go beyond it.
//
// The package knows tokens and money, and asks nobody.
package price
