package dev.berth.client.config;

import java.util.Optional;

/// Credentials in the kubeconfig itself, or in files that are renewed by others.
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
    public Credential current() {
        return new Credential(
                certificate.map(ReloadedFile::value), authorization.map(ReloadedFile::value));
    }

    @Override
    public void rejected(Credential used) {
        certificate.ifPresent(ReloadedFile::expire);
        authorization.ifPresent(ReloadedFile::expire);
    }
}
