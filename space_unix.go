// The free space of a disk, on systems that tell it.

//go:build linux || darwin

package main

import (
	"math"
	"syscall"
)

// freeSpace returns the number of bytes that the service may still write to the disk of a folder. ok is false if
// that is not known.
func freeSpace(folder string) (bytes int64, ok bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(folder, &s) != nil || s.Bsize <= 0 {
		return 0, false
	}
	blocks := min(s.Bavail, math.MaxInt64/uint64(s.Bsize))
	return int64(blocks * uint64(s.Bsize)), true
}
