package dev.berth.client.config;

import java.util.Optional;

/// Client authentication: certificate, token or basic credentials. They may be renewed over time.
public sealed interface ClientCredentials permits StoredCredentials, ExecPlugin {

    /// The current credential; may read files or run an exec plugin.
    ///
    /// @throws ConfigException when no credential is available
    Credential current();

    /// The server rejected this credential (401): the next call to [#current] reads a newer one.
    void rejected(Credential used);

    /// Credentials of one request.
    ///
    /// @param authorization value of the `Authorization` header
    record Credential(Optional<ClientCertificate> certificate, Optional<String> authorization) {

        /// @throws ConfigException when the secret contains characters that a header cannot have.
        ///   The HTTP client would reject it as well, with a message that contains the secret.
        public Credential {
            if (!authorization.orElse("").chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
                throw new ConfigException(
                        "the token or password has characters other than printable ASCII; "
                                + "check for line breaks in it");
            }
        }

        /// The kind of credential; never the secret.
        @Override
        public String toString() {
            return "Credential[%s, %s]"
                    .formatted(
                            certificate.map(ClientCertificate::toString).orElse("no certificate"),
                            authorization.isPresent() ? "a secret" : "no secret");
        }
    }
}
