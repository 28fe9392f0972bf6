package host

import (
	"fmt"
	"os"
	"path/filepath"
)

// Stamp tells one state of a program's file from another, by its path from an eval
// file's folder: its size and when it was written. It is "" if there is no such file.
func Stamp(evalFile, program string) string {
	info, err := os.Stat(within(filepath.Dir(evalFile), filepath.FromSlash(program)))
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// TargetsStamp is [Stamp] of the targets file that holds for an eval file.
func TargetsStamp(evalFile string) string {
	if path := targetsBeside(evalFile); path != "" {
		return path + " " + Stamp(evalFile, path)
	}
	return ""
}
