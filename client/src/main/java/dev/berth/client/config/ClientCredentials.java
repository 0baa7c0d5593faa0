package dev.berth.client.config;

import java.util.Optional;

/// How a client proves who it is. What it shows may change over time.
public sealed interface ClientCredentials permits StoredCredentials, ExecPlugin {

    /// What to show now; may read files or run a plugin.
    ///
    /// @throws ConfigException when there is nothing to show
    Proof proof();

    /// The server did not believe what it was shown: show something newer next time.
    void refused(Proof shown);

    /// What a server is shown.
    ///
    /// @param authorization the header of that name
    record Proof(Optional<ClientCertificate> certificate, Optional<String> authorization) {

        /// @throws ConfigException when a header cannot carry the secret. The HTTP client would
        ///   refuse it as well, with a message that has the secret in it.
        public Proof {
            if (!authorization.orElse("").chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
                throw new ConfigException(
                        "the token or password has characters other than printable ASCII; "
                                + "check for line breaks in it");
            }
        }

        /// What kind of proof it is; never the secret.
        @Override
        public String toString() {
            return "Proof[%s, %s]"
                    .formatted(
                            certificate.map(ClientCertificate::toString).orElse("no certificate"),
                            authorization.isPresent() ? "a secret" : "no secret");
        }
    }
}
