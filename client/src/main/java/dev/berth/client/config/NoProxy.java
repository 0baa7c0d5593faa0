package dev.berth.client.config;

import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Servers that are reached without a proxy: parses `NO_PROXY` by the rules of Go, so that one
/// environment works for `kubectl` and for Berth.
///
/// `*` matches everything. `10.0.0.0/8` matches every address in it. `example.com` matches that
/// host and its subdomains, `.example.com` and `*.example.com` only the subdomains. A port after a
/// host or an address restricts the item to that port. Names are not resolved, so addresses do not
/// match names.
final class NoProxy {

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /// One item of the list.
    private sealed interface Item {
        boolean matches(Target target);
    }

    private record Everything() implements Item {
        @Override
        public boolean matches(Target target) {
            return true;
        }
    }

    private record Network(InetAddress first, int bits) implements Item {
        @Override
        public boolean matches(Target target) {
            return target.address
                    .filter(one -> startsAlike(one.getAddress(), first.getAddress()))
                    .isPresent();
        }

        private boolean startsAlike(byte[] one, byte[] other) {
            if (one.length != other.length) {
                return false;
            }
            for (var bit = 0; bit < bits; bit++) {
                var mask = 0x80 >> (bit % Byte.SIZE);
                if (((one[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private record OneAddress(InetAddress address, String port) implements Item {
        @Override
        public boolean matches(Target target) {
            return target.address.filter(address::equals).isPresent() && target.hasPort(port);
        }
    }

    /// @param domain with a leading dot
    /// @param itself whether the domain itself matches, too
    private record Hosts(String domain, boolean itself, String port) implements Item {
        @Override
        public boolean matches(Target target) {
            return (target.host.endsWith(domain)
                            || (itself && target.host.equals(domain.substring(1))))
                    && target.hasPort(port);
        }
    }

    /// The server to match.
    ///
    /// @param host without brackets
    /// @param address if the host is an IP address
    private record Target(String host, int port, Optional<InetAddress> address) {

        static Target of(URI server) {
            var host = bare(String.valueOf(server.getHost()).toLowerCase(Locale.ROOT));
            var usual = "http".equalsIgnoreCase(server.getScheme()) ? HTTP_PORT : HTTPS_PORT;
            return new Target(host, server.getPort() < 0 ? usual : server.getPort(), literal(host));
        }

        boolean isThisMachine() {
            return host.equals("localhost")
                    || address.filter(InetAddress::isLoopbackAddress).isPresent();
        }

        /// @param wanted empty for any port
        boolean hasPort(String wanted) {
            return wanted.isEmpty() || wanted.equals(String.valueOf(port));
        }
    }

    private final List<Item> items = new ArrayList<>();

    NoProxy(String list) {
        for (var item : list.split(",", -1)) {
            item(item.strip().toLowerCase(Locale.ROOT)).ifPresent(items::add);
        }
    }

    /// Whether the server is reached without a proxy; localhost always is.
    boolean exempts(URI server) {
        var target = Target.of(server);
        return target.isThisMachine() || items.stream().anyMatch(item -> item.matches(target));
    }

    private static Optional<Item> item(String text) {
        if (text.equals("*")) {
            return Optional.of(new Everything());
        }
        if (text.contains("/")) {
            return network(text);
        }
        var whole = literal(bare(text));
        if (whole.isPresent()) {
            return Optional.of(new OneAddress(whole.get(), ""));
        }
        var colon = text.lastIndexOf(':');
        var host = bare(colon < 0 ? text : text.substring(0, colon));
        var port = colon < 0 ? "" : text.substring(colon + 1);
        return host.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        literal(host)
                                .<Item>map(address -> new OneAddress(address, port))
                                .orElseGet(() -> hosts(host, port)));
    }

    private static Hosts hosts(String host, String port) {
        var name = host.startsWith("*.") ? host.substring(1) : host;
        return name.startsWith(".")
                ? new Hosts(name, false, port)
                : new Hosts("." + name, true, port);
    }

    private static Optional<Item> network(String text) {
        var slash = text.indexOf('/');
        var address = literal(text.substring(0, slash));
        try {
            var bits = Integer.parseInt(text.substring(slash + 1));
            return address.filter(one -> bits >= 0 && bits <= one.getAddress().length * Byte.SIZE)
                    .map(one -> new Network(one, bits));
        } catch (NumberFormatException _) {
            // Invalid item: ignored, as Go does.
            return Optional.empty();
        }
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    private static Optional<InetAddress> literal(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
