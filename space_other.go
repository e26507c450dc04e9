// The free space of a disk, on systems that do not tell it.

//go:build !linux && !darwin

package main

// freeSpace reports that the free space is not known.
func freeSpace(string) (bytes int64, ok bool) { return 0, false }
