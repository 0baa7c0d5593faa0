package dev.berth.server.auth;

import dev.berth.model.certificate.Fingerprint;
import dev.berth.server.access.User;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Authenticates clients by certificate or service account token.
public final class Authenticator {

    public static final String AUTHENTICATED = "system:authenticated";

    private static final String BEARER = "bearer ";

    /// Result of an authentication.
    public sealed interface Outcome {

        /// The user; anonymous if there are no credentials.
        record Authenticated(User user) implements Outcome {}

        /// A credential is invalid: the response is 401.
        record Rejected() implements Outcome {}
    }

    private final ServiceAccountTokens tokens;
    private final List<String> audiences;
    private final Clock clock;

    /// @param audiences audiences of tokens for this server
    public Authenticator(ServiceAccountTokens tokens, List<String> audiences, Clock clock) {
        this.tokens = tokens;
        this.audiences = List.copyOf(audiences);
        this.clock = clock;
    }

    /// Authenticates the credentials of a request.
    ///
    /// @param certificate certificate of the client, verified by TLS
    /// @param authorization the `Authorization` header
    public Outcome authenticate(
            Optional<X509Certificate> certificate, Optional<String> authorization) {
        var byCertificate = certificate.flatMap(this::user);
        if (byCertificate.isPresent()) {
            return new Outcome.Authenticated(byCertificate.get());
        }
        var token = authorization.map(Authenticator::token);
        if (certificate.isEmpty() && authorization.isEmpty()) {
            return new Outcome.Authenticated(User.anonymous());
        }
        return token.filter(one -> !one.isEmpty())
                .flatMap(this::user)
                .<Outcome>map(Outcome.Authenticated::new)
                .orElseGet(Outcome.Rejected::new);
    }

    /// The token of an `Authorization: Bearer …` header; empty for other schemes.
    private static String token(String header) {
        var trimmed = header.strip();
        return trimmed.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? trimmed.substring(BEARER.length()).strip()
                : "";
    }

    private Optional<User> user(String token) {
        return tokens.read(token, audiences, clock.instant())
                        instanceof ServiceAccountTokens.Verification.Valid(var user, _)
                ? Optional.of(user)
                : Optional.empty();
    }

    private Optional<User> user(X509Certificate certificate) {
        var now = clock.instant();
        var subject = CertificateSubjects.of(certificate);
        // A connection may outlive the certificate that it was opened with.
        if (subject.commonName().isEmpty()
                || now.isBefore(certificate.getNotBefore().toInstant())
                || now.isAfter(certificate.getNotAfter().toInstant())) {
            return Optional.empty();
        }
        var groups = new ArrayList<>(subject.organizations());
        groups.add(AUTHENTICATED);
        return Optional.of(
                new User(
                        subject.commonName(),
                        "",
                        groups,
                        Map.of(
                                "authentication.kubernetes.io/credential-id",
                                List.of("X509SHA256=" + Fingerprint.of(certificate)))));
    }
}
