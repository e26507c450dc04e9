// What these tests share with other packages' tests.

package main

import (
	"context"
	"errors"

	"flats/internal/imap"
	"flats/internal/imap/imaptest"
)

// reaching returns how to reach a server with TLS from the start. Its mails have at most 32 MiB.
func reaching(s *imaptest.Server) imap.Server {
	return imap.Server{Host: "example.com", Port: "993", MaxMail: 32 << 20, Roots: s.Roots, Dial: s.Dial}
}

// readFolder reads all mails of a folder, and returns them with the first error.
func readFolder(server imap.Server, user, password, folder string) (mails []string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := server.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Login(user, password); err != nil {
		return nil, err
	}
	opened, err := c.Examine(folder)
	if err != nil {
		return nil, err
	}
	uids, err := c.Search(opened, "UID 1:*")
	if err != nil {
		return nil, err
	}
	for _, uid := range uids {
		mail, isThere, err := c.Fetch(uid, imap.WholeMail)
		switch {
		case errors.Is(err, imap.ErrTooLarge):
			mails = append(mails, "too large")
		case err != nil:
			return mails, err
		case isThere:
			mails = append(mails, string(mail))
		}
	}
	c.Logout()
	return mails, nil
}
