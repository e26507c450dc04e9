// The certificate by which the service is served over https, and its renewal.

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

// certificatePause is the time between two looks at the files of a certificate.
const certificatePause = 5 * time.Second

// A keyPair has the certificate that the config names, and its key. If the files can no longer be used, it keeps what
// they had before.
type keyPair struct {
	certificateFile, keyFile string
	log                      *slog.Logger
	current                  atomic.Pointer[tls.Certificate]
	lastRead                 keyPairFiles // the files at the last look
}

// keyPairFiles has the texts of the two files or, if one cannot be read, why.
type keyPairFiles struct{ certificate, key, certificateErr, keyErr string }

// openKeyPair reads the files that a config names. The error names the key of the config that is wrong. The result is
// nil if the config names none.
func openKeyPair(c *Config, log *slog.Logger) (*keyPair, error) {
	if c.TLSCertificate == "" {
		return nil, nil
	}
	k := &keyPair{certificateFile: c.TLSCertificate, keyFile: c.TLSKey, log: log}
	k.lastRead = k.read()
	pair, err := k.lastRead.parse()
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	k.current.Store(pair)
	return k, nil
}

func (k *keyPair) read() (files keyPairFiles) {
	certificate, err := readExisting(k.certificateFile, maxCertificate)
	files.certificate, files.certificateErr = string(certificate), errorText(err)
	key, err := readExisting(k.keyFile, maxCertificate)
	files.key, files.keyErr = string(key), errorText(err)
	return files
}

// parse returns the certificate. The error names the key of the config that is wrong, and shows nothing of the files.
func (files keyPairFiles) parse() (*tls.Certificate, error) {
	if files.certificateErr != "" {
		return nil, errors.New("tls_certificate: " + files.certificateErr)
	}
	if files.keyErr != "" {
		return nil, errors.New("tls_key: " + files.keyErr)
	}
	first, _ := pem.Decode([]byte(files.certificate))
	if first == nil || first.Type != "CERTIFICATE" {
		return nil, errors.New("tls_certificate: want a certificate in PEM, with those that lead to its authority after it")
	}
	if _, err := x509.ParseCertificate(first.Bytes); err != nil {
		return nil, fmt.Errorf("tls_certificate: %w", err)
	}
	if block, _ := pem.Decode([]byte(files.key)); block == nil {
		return nil, errors.New("tls_key: want a private key in PEM")
	}
	pair, err := tls.X509KeyPair([]byte(files.certificate), []byte(files.key))
	if err != nil {
		return nil, fmt.Errorf("tls_key: %w", err)
	}
	return &pair, nil
}

// watch looks at the files until ctx is done. When they have changed and can be used, new connections get the new
// certificate. Otherwise the old one stays in use, with one warning for each state of the files.
func (k *keyPair) watch(ctx context.Context) {
	for sleep(ctx, certificatePause) {
		files := k.read()
		if files == k.lastRead {
			continue
		}
		k.lastRead = files
		pair, err := files.parse()
		if err != nil {
			k.log.Warn("the certificate has changed and cannot be used: the old one stays in use", "err", err)
			continue
		}
		k.current.Store(pair)
		k.log.Info("the certificate was read again", "file", k.certificateFile)
	}
}

// get returns the certificate for a connection.
func (k *keyPair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) { return k.current.Load(), nil }
