// Package panel shows one case: what is asked, answered and judged, and why.
package panel
