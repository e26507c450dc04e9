// Package webpush makes the requests that bring messages to browsers whose page is closed.
//
// A browser that wants messages has a push service, usually its maker's, which reaches it at any time. For each
// page that asks, the push service gives it a URL, the endpoint: what is posted there comes to the page's worker. The
// browser also makes a pair of keys and 16 random bytes, the auth secret. Endpoint, public key and secret together are
// a [Subscription], which the page hands to its own server. The server is what posts messages (RFC 8030).
//
// The push service must not read what it carries, so each message is encrypted for the subscription (RFC 8291): a new
// key pair of the server and the browser's public key agree on a shared secret, from which, with the auth secret and a
// salt, the key of the content coding aes128gcm follows (RFC 8188). Its header carries the salt and the new public key,
// so that only the browser can derive the same key.
//
// The push service wants to know who posts. By VAPID (RFC 8292) a server has a [Key] of its own, which the browser
// names when it subscribes. Each request brings a token that the key has signed: for which push service it is, until
// when it holds, and how to reach whoever runs the server.
package webpush

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxContent is the number of bytes that a message may have, so that its body has the 4,096 bytes that every push
// service takes (RFC 8291, 4). The 1 is for lastRecord.
const maxContent = 4096 - headerSize - 1 - tagSize

const (
	secretSize = 16                           // bytes of an auth secret
	saltSize   = 16                           // bytes of the salt of a message
	pointSize  = 65                           // bytes of a public key, uncompressed
	headerSize = saltSize + 4 + 1 + pointSize // bytes of the header of aes128gcm: 4 for recordSize, 1 for pointSize
	tagSize    = 16                           // bytes that AES-GCM adds
	recordSize = 4096                         // of aes128gcm; a message is one record
	lastRecord = 2                            // the delimiter after the content of the last record

	tokenHolds = 12 * time.Hour // how long a token of VAPID holds; a day at most
)

// A Subscription is what a browser gives to the server of a page: where to post messages, and how to encrypt them.
type Subscription struct {
	endpoint *url.URL
	key      *ecdh.PublicKey
	secret   []byte
}

// NewSubscription returns a subscription of an endpoint, a public key (p256dh) and an auth secret, the last two in
// base64url as browsers write them. Where the endpoint may lead is for the caller to check.
func NewSubscription(endpoint, p256dh, auth string) (*Subscription, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return nil, errors.New("endpoint: want an https URL") // the error of Parse holds the URL
	}
	point, err := decode(p256dh, pointSize)
	if err != nil {
		return nil, fmt.Errorf("keys.p256dh: %w", err)
	}
	key, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return nil, errors.New("keys.p256dh: want a point of the curve P-256")
	}
	secret, err := decode(auth, secretSize)
	if err != nil {
		return nil, fmt.Errorf("keys.auth: %w", err)
	}
	return &Subscription{u, key, secret}, nil
}

// decode returns the bytes of a text in base64url, with or without padding. It fails if there are not size of them.
func decode(text string, size int) ([]byte, error) {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(raw) != size {
		return nil, fmt.Errorf("want %d bytes in base64url", size)
	}
	return raw, nil
}

// A Key is the key by which push services know a server.
type Key struct{ private *ecdsa.PrivateKey }

// NewKey makes a key.
func NewKey() *Key {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // rand.Reader never fails
	}
	return &Key{private}
}

// ParseKey returns the key that String has written.
func ParseKey(text string) (*Key, error) {
	raw, err := decode(text, 32) // bytes of a private key
	if err != nil {
		return nil, err
	}
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	if err != nil {
		return nil, errors.New("want a private key of the curve P-256")
	}
	return &Key{private}, nil
}

// String returns the private key in base64url. It is a secret.
func (k *Key) String() string {
	raw, _ := k.private.Bytes() // no error: the curve is P-256
	return base64.RawURLEncoding.EncodeToString(raw)
}

// Public returns the public key in base64url, as browsers want it when they subscribe.
func (k *Key) Public() string {
	raw, _ := k.private.PublicKey.Bytes() // no error: the curve is P-256
	return base64.RawURLEncoding.EncodeToString(raw)
}

// A Message is what a push service carries.
type Message struct {
	Content []byte        // 3,993 bytes at most: Request refuses more
	TTL     time.Duration // how long the push service keeps it for a browser that it does not reach
	Topic   string        // up to 32 characters of base64url: a later message with it replaces one that waits; "" for none
	Urgency string        // very-low, low, normal or high; "" for normal
}

// Request returns the request that sends a message to a subscription. subject is a mailto: or https: URL of whoever
// runs the server, or "". An answer of 404 or 410 means that the subscription has ended (RFC 8030, 7.3).
func (s *Subscription) Request(ctx context.Context, key *Key, subject string, m Message) (*http.Request, error) {
	if len(m.Content) > maxContent {
		return nil, fmt.Errorf("a message of %d bytes is longer than %d", len(m.Content), maxContent)
	}
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	rand.Read(salt)
	body, err := s.encrypt(private, salt, m.Content)
	if err != nil {
		return nil, err
	}
	token, err := key.token(s.endpoint, subject, time.Now().Add(tokenHolds))
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint.String(), strings.NewReader(string(body)))
	if err != nil {
		return nil, errors.New("the endpoint makes no request") // the error holds the URL
	}
	r.Header.Set("Authorization", "vapid t="+token+", k="+key.Public())
	r.Header.Set("Content-Encoding", "aes128gcm")
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("TTL", strconv.Itoa(int(m.TTL.Seconds())))
	if m.Topic != "" {
		r.Header.Set("Topic", m.Topic)
	}
	if m.Urgency != "" {
		r.Header.Set("Urgency", m.Urgency)
	}
	return r, nil
}

// encrypt returns the body of a message (RFC 8291, 3.4; RFC 8188, 2).
func (s *Subscription) encrypt(private *ecdh.PrivateKey, salt, content []byte) ([]byte, error) {
	shared, err := private.ECDH(s.key)
	if err != nil {
		return nil, err
	}
	public := private.PublicKey().Bytes()
	info := "WebPush: info\x00" + string(s.key.Bytes()) + string(public)
	// The lengths of the keys are those of the RFCs: of SHA-256, of AES-128, and of a nonce of GCM.
	material, err := hkdf.Key(sha256.New, shared, s.secret, info, 32)
	if err != nil {
		return nil, err
	}
	contentKey, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(contentKey)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	header := binary.BigEndian.AppendUint32(slices.Clone(salt), recordSize)
	header = append(header, pointSize)
	header = append(header, public...)
	return gcm.Seal(header, nonce, append(slices.Clone(content), lastRecord), nil), nil
}

// token returns the token that tells the push service of an endpoint who posts (RFC 8292, 2).
func (k *Key) token(endpoint *url.URL, subject string, until time.Time) (string, error) {
	// The audience is the origin of the endpoint, which leaves out the default port of https.
	origin := "https://" + strings.TrimSuffix(strings.ToLower(endpoint.Host), ":443")
	claims, err := json.Marshal(struct {
		Audience string `json:"aud"`
		Until    int64  `json:"exp"`
		Subject  string `json:"sub,omitempty"`
	}{origin, until.Unix(), subject})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encode(claims)
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, sum[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64) // each of the two numbers in 32 bytes (RFC 7518, 3.4)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return signed + "." + encode(signature), nil
}
