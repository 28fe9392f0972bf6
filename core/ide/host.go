package ide

// A DirEntry is an entry of a directory.
type DirEntry struct {
	Name  string
	IsDir bool
}
