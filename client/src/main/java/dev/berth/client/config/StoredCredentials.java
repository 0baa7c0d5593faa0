package dev.berth.client.config;

import java.util.Optional;

/// Credentials that are written down, in the configuration or in files that others renew.
final class StoredCredentials implements Credentials {

    private final Optional<Reread<ClientCertificate>> certificate;
    private final Optional<Reread<String>> authorization;

    StoredCredentials(
            Optional<Reread<ClientCertificate>> certificate,
            Optional<Reread<String>> authorization) {
        this.certificate = certificate;
        this.authorization = authorization;
    }

    @Override
    public Proof proof() {
        return new Proof(certificate.map(Reread::value), authorization.map(Reread::value));
    }

    @Override
    public void refused(Proof shown) {
        certificate.ifPresent(Reread::expire);
        authorization.ifPresent(Reread::expire);
    }
}
