package host

import (
	"fmt"
	"os"
	"path/filepath"
)

// FileFingerprint tells one state of a program's file from another, by its path from an eval
// file's folder: its size and when it was written. It is "" if there is no such file.
func FileFingerprint(evalFile, program string) string {
	info, err := os.Stat(resolveFrom(filepath.Dir(evalFile), filepath.FromSlash(program)))
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// TargetsFingerprint is [Stamp] of the targets file that holds for an eval file.
func TargetsFingerprint(evalFile string) string {
	if path := findTargetsFile(evalFile); path != "" {
		return path + " " + FileFingerprint(evalFile, path)
	}
	return ""
}
