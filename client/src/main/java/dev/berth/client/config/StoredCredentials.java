package dev.berth.client.config;

import java.util.Optional;

/// Credentials that are written down, in the configuration or in files that others renew.
final class StoredCredentials implements ClientCredentials {

    private final Optional<ReloadedFile<ClientCertificate>> certificate;
    private final Optional<ReloadedFile<String>> authorization;

    StoredCredentials(
            Optional<ReloadedFile<ClientCertificate>> certificate,
            Optional<ReloadedFile<String>> authorization) {
        this.certificate = certificate;
        this.authorization = authorization;
    }

    @Override
    public Proof proof() {
        return new Proof(
                certificate.map(ReloadedFile::value), authorization.map(ReloadedFile::value));
    }

    @Override
    public void refused(Proof shown) {
        certificate.ifPresent(ReloadedFile::expire);
        authorization.ifPresent(ReloadedFile::expire);
    }
}
