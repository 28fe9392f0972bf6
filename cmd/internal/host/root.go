package host

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Root returns the folder that bounds what is read on behalf of a file: neither a path in
// the file nor a link in a folder leads out of it. It is the root of the Git repository
// that the file is in. Outside of a repository it is the file's own folder. A working
// folder above either takes its place, so that starting rubric further up lets files
// refer to their neighbours; the home folder and what is above that do not count.
func Root(file string) string {
	root, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return filepath.Dir(file)
	}
	if folders := repositoryFolders(root); folders != nil {
		root = folders[len(folders)-1]
	}
	cwd, err := os.Getwd()
	home, noHome := os.UserHomeDir()
	if err == nil && isWithin(cwd, root) && (noHome != nil || !isWithin(cwd, home)) {
		root = cwd
	}
	return root
}

// isWithin reports whether a path is a folder or below it, going by the names alone.
func isWithin(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative)
}

// openWithin opens a regular file, or a folder, below root without waiting for anything.
func openWithin(root, path string, folder bool) (*os.File, error) {
	if path == "" {
		return nil, fileError(path, fs.ErrNotExist)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	if !isWithin(root, absolute) {
		return nil, outsideError(root, path)
	}
	f, err := openBelow(root, absolute)
	if err != nil {
		target, linkErr := filepath.EvalSymlinks(absolute)
		resolved, rootErr := filepath.EvalSymlinks(root)
		if linkErr != nil {
			target, linkErr = os.Readlink(absolute) // to a pipe, for example, which has no path
		}
		switch {
		case linkErr != nil || rootErr != nil || target == absolute:
			return nil, fileError(path, err)
		case !isWithin(resolved, target):
			return nil, fmt.Errorf("%s: is not read: it is a link to %s, outside of %s", path, target, root)
		}
		if f, err = openBelow(resolved, target); err != nil { // by way of an absolute link, which os.Root refuses
			return nil, fileError(path, err)
		}
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = fileError(path, err)
	case folder != info.IsDir() && info.IsDir():
		err = folderError(path)
	case folder != info.IsDir():
		err = fmt.Errorf("%s: is not a folder", path)
	case !folder && !info.Mode().IsRegular():
		err = fmt.Errorf("%s: is not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openBelow opens what is below root. The system refuses a link that leads out of root,
// however the folders change meanwhile. Opening a pipe does not wait for a writer.
func openBelow(root, path string) (*os.File, error) {
	folder, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	relative, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	return folder.OpenFile(relative, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func outsideError(root, path string) error {
	return fmt.Errorf("%s: is not read: it is outside of %s", path, root)
}

// OutsideReason returns why a reference of an eval file is not followed, and "" if nothing
// keeps it from that: it names a file that is there, and outside of the eval file's root.
func OutsideReason(evalFile, reference string) string {
	path, found := locate(evalFile, reference)
	if path != "" || found == nil {
		return ""
	}
	_, reason, _ := strings.Cut(found.Error(), ": is not read: ")
	return reason
}

// ReadFolder lists a folder within root.
func ReadFolder(root, path string) ([]os.DirEntry, error) {
	f, err := openWithin(root, path, true)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
