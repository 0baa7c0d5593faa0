package dev.berth.client.config;

import java.security.cert.X509Certificate;
import java.util.List;

/// Which servers to believe.
public sealed interface ServerTrust {

    /// Those that the machine's own list of authorities vouches for.
    record MachineAuthorities() implements ServerTrust {}

    /// Those that one of these vouches for.
    record Authorities(List<X509Certificate> certificates) implements ServerTrust {
        public Authorities {
            certificates = List.copyOf(certificates);
        }
    }

    /// Any server, because somebody asked for it in so many words.
    record Anybody() implements ServerTrust {}
}
