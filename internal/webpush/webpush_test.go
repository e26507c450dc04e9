// Tests of webpush.go.

package webpush

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"
)

// The example of RFC 8291, 5 and appendix A.
const (
	rfcContent       = "When I grow up, I want to be a watermelon"
	rfcServerPrivate = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
	rfcServerPublic  = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
	rfcPrivate       = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
	rfcPublic        = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
	rfcSecret        = "BTBZMqHH6r4Tts7J_aSIgg"
	rfcSalt          = "DGv6ra1nlYgDCS1FRnbzlw"
	rfcBody          = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS" +
		"6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)

// The example of RFC 8292, 2.4.
const (
	vapidToken = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1Mj" +
		"M3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1" +
		"JrErtmysazNjjvW2L9OkSSHzvoD1oA"
	vapidKey = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
)

// raw decodes base64url.
func raw(t testing.TB, text string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The body of the message of RFC 8291 is the one that the RFC has.
func TestEncryptRFC(t *testing.T) {
	s, err := NewSubscription("https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV", rfcPublic, rfcSecret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := ecdh.P256().NewPrivateKey(raw(t, rfcServerPrivate))
	if err != nil {
		t.Fatal(err)
	}
	if got := base64.RawURLEncoding.EncodeToString(private.PublicKey().Bytes()); got != rfcServerPublic {
		t.Errorf("the public key is %s; want %s", got, rfcServerPublic)
	}
	body, err := s.encrypt(private, raw(t, rfcSalt), []byte(rfcContent))
	if got := base64.RawURLEncoding.EncodeToString(body); err != nil || got != rfcBody {
		t.Errorf("the body is %s, %v; want %s", got, err, rfcBody)
	}
}

// mac is HMAC-SHA-256.
func mac(key []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range parts {
		io.WriteString(h, part)
	}
	return h.Sum(nil)
}

// decrypt decrypts a body as a browser does, with any number of records. It follows RFC 8188, 2 and RFC 8291, 3.4 with
// nothing but HMAC.
func decrypt(body []byte, browser *ecdh.PrivateKey, secret []byte) (string, error) {
	// A header has the salt, the size of the records in 4 bytes, the size of the public key in 1 byte, and the key.
	const beforeKey = 16 + 4 + 1
	if len(body) < beforeKey || len(body) < beforeKey+int(body[beforeKey-1]) {
		return "", errors.New("no whole header")
	}
	salt := body[:16]
	size := int(binary.BigEndian.Uint32(body[16:]))
	afterKey := beforeKey + int(body[beforeKey-1])
	publicKey, rest := body[beforeKey:afterKey], body[afterKey:]
	server, err := ecdh.P256().NewPublicKey(publicKey)
	if err != nil {
		return "", err
	}
	shared, err := browser.ECDH(server)
	if err != nil {
		return "", err
	}
	own := string(browser.PublicKey().Bytes())
	ikm := mac(mac(secret, string(shared)), "WebPush: info\x00", own, string(publicKey), "\x01")
	prk := mac(salt, string(ikm))
	key, nonce := mac(prk, "Content-Encoding: aes128gcm\x00\x01")[:16], mac(prk, "Content-Encoding: nonce\x00\x01")[:12]
	block, _ := aes.NewCipher(key)
	gcm, _ := cipher.NewGCM(block)
	var text []byte
	for n := byte(0); ; n++ {
		record := rest[:min(size, len(rest))]
		rest = rest[len(record):]
		numbered := bytes.Clone(nonce)
		numbered[11] ^= n
		plain, err := gcm.Open(nil, numbered, record, nil)
		if err != nil {
			return "", err
		}
		plain = bytes.TrimRight(plain, "\x00") // the padding
		if len(plain) == 0 {
			return "", errors.New("no delimiter")
		}
		isLast, delimiter := len(rest) == 0, plain[len(plain)-1]
		if isLast != (delimiter == 2) { // 1 in other records
			return "", errors.New("the wrong delimiter")
		}
		text = append(text, plain[:len(plain)-1]...)
		if len(rest) == 0 {
			return string(text), nil
		}
	}
}

// checkToken returns the claims of a token if the key has signed it, by RFC 7515 and RFC 8292.
func checkToken(token, key string) (claims map[string]any, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, fmt.Errorf("%d parts", len(parts))
	}
	var decoded [3][]byte
	for i, part := range parts {
		if decoded[i], err = base64.RawURLEncoding.DecodeString(part); err != nil {
			return nil, err
		}
	}
	var head map[string]string
	if err := json.Unmarshal(decoded[0], &head); err != nil || head["typ"] != "JWT" || head["alg"] != "ES256" {
		return nil, fmt.Errorf("the header is %s", decoded[0])
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || len(decoded[2]) != 64 {
		return nil, fmt.Errorf("%v, and a signature of %d bytes", err, len(decoded[2]))
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, err
	}
	number := func(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], number(decoded[2][:32]), number(decoded[2][32:])) {
		return nil, errors.New("another signature")
	}
	return claims, json.Unmarshal(decoded[1], &claims)
}

// The checks of these tests accept the examples of the RFCs.
func TestChecksRFC(t *testing.T) {
	browser, err := ecdh.P256().NewPrivateKey(raw(t, rfcPrivate))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := decrypt(raw(t, rfcBody), browser, raw(t, rfcSecret)); err != nil || text != rfcContent {
		t.Errorf("decrypt = %q, %v; want %q", text, err, rfcContent)
	}
	claims, err := checkToken(vapidToken, vapidKey)
	if err != nil || claims["aud"] != "https://push.example.net" || claims["exp"] != 1453523768.0 ||
		claims["sub"] != "mailto:push@example.com" {
		t.Errorf("the token of RFC 8292 has %v, %v", claims, err)
	}
	if _, err := checkToken(vapidToken, rfcPublic); err == nil {
		t.Error("another key has signed the token, too")
	}
}

// A request has the headers, the token and the encrypted content that a push service and a browser expect.
func TestRequest(t *testing.T) {
	browser, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret := make([]byte, 16)
	rand.Read(secret)
	encode := base64.URLEncoding.EncodeToString // with padding, as some browsers write it
	s, err := NewSubscription("https://Push.example:443/a?b", encode(browser.PublicKey().Bytes()), encode(secret))
	if err != nil {
		t.Fatal(err)
	}
	key := NewKey()
	for _, c := range []struct {
		content, subject string
		message          Message
	}{
		{"", "", Message{}},
		{"x\x00", "https://flats.example", Message{TTL: time.Minute, Urgency: "high"}},
		{strings.Repeat("é", maxContent/2), "mailto:a@b", Message{TTL: 24 * time.Hour, Topic: "t-_"}},
	} {
		c.message.Content = []byte(c.content)
		r, err := s.Request(t.Context(), key, c.subject, c.message)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		text, err := decrypt(body, browser, secret)
		if text != c.content || err != nil || len(body) > 4096 || r.ContentLength != int64(len(body)) {
			t.Errorf("a body of %d bytes, declared as %d, holds %q, %v; want %q", len(body), r.ContentLength, text, err,
				c.content)
		}
		if r.Method != "POST" || r.URL.String() != "https://Push.example:443/a?b" {
			t.Errorf("the request is %s %s", r.Method, r.URL)
		}
		for name, want := range map[string]string{
			"Content-Encoding": "aes128gcm",
			"Topic":            c.message.Topic,
			"Urgency":          c.message.Urgency,
			"TTL":              fmt.Sprint(int(c.message.TTL / time.Second)),
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("the header %s is %q; want %q", name, got, want)
			}
		}
		var token, public string
		fmt.Sscanf(r.Header.Get("Authorization"), "vapid t=%s k=%s", &token, &public)
		claims, err := checkToken(strings.TrimSuffix(token, ","), public)
		until, _ := claims["exp"].(float64)
		valid := time.Until(time.Unix(int64(until), 0))
		if err != nil || public != key.Public() || claims["aud"] != "https://push.example" {
			t.Errorf("the token is of %s, with %v, %v; want %s and https://push.example", public, claims, err, key.Public())
		}
		if valid <= 0 || valid > 24*time.Hour { // RFC 8292, 2
			t.Errorf("the token is valid for %v; want at most a day", valid)
		}
		var wantSubject any // a token without a subject has no such claim
		if c.subject != "" {
			wantSubject = c.subject
		}
		if subject := claims["sub"]; subject != wantSubject {
			t.Errorf("the subject is %v; want %v", subject, wantSubject)
		}
	}
	if _, err := s.Request(t.Context(), key, "", Message{Content: make([]byte, maxContent+1)}); err == nil {
		t.Error("a message of more than maxContent bytes makes a request")
	}
}

// Two messages share neither their salt nor their key.
func TestRequestAnew(t *testing.T) {
	s, err := NewSubscription("https://push.example/", rfcPublic, rfcSecret)
	if err != nil {
		t.Fatal(err)
	}
	var heads [2][]byte
	for i := range heads {
		r, err := s.Request(t.Context(), NewKey(), "", Message{})
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		heads[i] = body[:headerSize]
	}
	const keyAt = headerSize - pointSize
	if bytes.Equal(heads[0][:saltSize], heads[1][:saltSize]) || bytes.Equal(heads[0][keyAt:], heads[1][keyAt:]) {
		t.Errorf("two messages begin with %x and %x", heads[0], heads[1])
	}
}

// A key is read again from its text, and no other text is a key.
func TestKey(t *testing.T) {
	key := NewKey()
	again, err := ParseKey(key.String())
	if err != nil || again.Public() != key.Public() || again.String() != key.String() || len(raw(t, key.Public())) != 65 {
		t.Errorf("ParseKey(String()) = %v, %v; want %v", again, err, key)
	}
	encode := base64.RawURLEncoding.EncodeToString
	for _, text := range []string{"", "x", encode(make([]byte, 32)), encode(bytes.Repeat([]byte{255}, 32)),
		encode(make([]byte, 31)), key.Public()} {
		if _, err := ParseKey(text); err == nil {
			t.Errorf("ParseKey(%q) = nil", text)
		}
	}
}

// What is no subscription is refused, in words that quote nothing of it.
func TestSubscription(t *testing.T) {
	const endpoint = "https://push.example/secret"
	off := raw(t, rfcPublic)
	off[64] ^= 1 // a point that is not on the curve
	encode := base64.RawURLEncoding.EncodeToString
	for _, c := range []struct{ endpoint, key, secret, want string }{
		{endpoint, rfcPublic, rfcSecret, ""},
		{endpoint, rfcPublic + "=", rfcSecret + "==", ""},
		{"", rfcPublic, rfcSecret, "endpoint: want an https URL"},
		{"https:", rfcPublic, rfcSecret, "endpoint: want an https URL"},
		{"https://:443/secret", rfcPublic, rfcSecret, "endpoint: want an https URL"},
		{"http://push.example/secret", rfcPublic, rfcSecret, "endpoint: want an https URL"},
		{"https://push.example/%secret", rfcPublic, rfcSecret, "endpoint: want an https URL"},
		{endpoint, "", rfcSecret, "keys.p256dh: want 65 bytes in base64url"},
		{endpoint, rfcPublic[1:], rfcSecret, "keys.p256dh: want 65 bytes in base64url"},
		{endpoint, encode(off), rfcSecret, "keys.p256dh: want a point of the curve P-256"},
		{endpoint, encode(make([]byte, 65)), rfcSecret, "keys.p256dh: want a point of the curve P-256"},
		{endpoint, encode(append([]byte{2}, off[1:]...)), rfcSecret, "keys.p256dh: want a point of the curve P-256"},
		{endpoint, rfcPublic, "", "keys.auth: want 16 bytes in base64url"},
		{endpoint, rfcPublic, rfcSecret + "AA", "keys.auth: want 16 bytes in base64url"},
		{endpoint, rfcPublic, "BTBZMqHH6r4Tts7J/aSIgg", "keys.auth: want 16 bytes in base64url"},
	} {
		_, err := NewSubscription(c.endpoint, c.key, c.secret)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("NewSubscription(%q, %q, %q) = %v; want %q", c.endpoint, c.key, c.secret, err, c.want)
		}
	}
}

// Each subscription that is accepted makes requests whose messages only its secret opens.
func FuzzSubscription(f *testing.F) {
	f.Add("https://push.example/", rfcPublic, rfcSecret)
	f.Add("https://[::1]:443/?#", rfcServerPublic+"=", rfcSecret+"==")
	f.Add("http://a", vapidKey, rfcSalt)
	f.Add("https://a\n", rfcPublic[1:], "")
	browser, err := ecdh.P256().NewPrivateKey(raw(f, rfcPrivate))
	if err != nil {
		f.Fatal(err)
	}
	key := NewKey()
	f.Fuzz(func(t *testing.T, endpoint, p256dh, auth string) {
		s, err := NewSubscription(endpoint, p256dh, auth)
		if err != nil {
			return
		}
		if len(s.secret) != 16 || s.key == nil || !strings.HasPrefix(strings.ToLower(endpoint), "https:") {
			t.Fatalf("NewSubscription(%q, %q, %q) = %v", endpoint, p256dh, auth, s)
		}
		r, err := s.Request(t.Context(), key, "", Message{Content: []byte("x")})
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		text, err := decrypt(body, browser, s.secret)
		isOurs := bytes.Equal(s.key.Bytes(), browser.PublicKey().Bytes())
		if isOurs != (err == nil) || isOurs && text != "x" {
			t.Errorf("the browser reads %q, %v", text, err)
		}
	})
}
