// The addresses at which the service is reached.

package main

import "net"

// reachable returns an address to listen on as another device can use it: in place of all addresses of the machine it
// has one of them.
func reachable(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = ownHost()
	}
	return net.JoinHostPort(host, port)
}

// ownHost returns the address of the network interface that leads out, or else of the first one that is up, or
// localhost.
func ownHost() string {
	// To connect by UDP sends nothing. The addresses are those of examples, which nobody has.
	for _, far := range []string{"192.0.2.1:9", "[2001:db8::1]:9"} {
		if host := leadingTo(far); host != "" {
			return host
		}
	}
	addrs, _ := net.InterfaceAddrs()
	for _, addr := range addrs {
		if ip, ok := addr.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return "localhost"
}

// leadingTo returns the own address from which packets to an address are sent, or "".
func leadingTo(addr string) string {
	conn, err := net.Dial("udp", addr)
	if err != nil {
		return ""
	}
	defer conn.Close()
	if own := conn.LocalAddr().(*net.UDPAddr); own.IP.IsGlobalUnicast() {
		return own.IP.String()
	}
	return ""
}
