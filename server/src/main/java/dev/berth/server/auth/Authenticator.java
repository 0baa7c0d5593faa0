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

/// Finds out who somebody is: by their certificate, or by a token.
public final class Authenticator {

    public static final String AUTHENTICATED = "system:authenticated";

    private static final String BEARER = "bearer ";

    /// What came of it.
    public sealed interface Outcome {

        /// It is this user; without credentials it is nobody in particular.
        record Known(User user) implements Outcome {}

        /// A credential was shown that does not hold: the answer is 401.
        record Refused() implements Outcome {}
    }

    private final ServiceAccountTokens tokens;
    private final List<String> audiences;
    private final Clock clock;

    /// @param audiences that tokens for this server are for
    public Authenticator(ServiceAccountTokens tokens, List<String> audiences, Clock clock) {
        this.tokens = tokens;
        this.audiences = List.copyOf(audiences);
        this.clock = clock;
    }

    /// Looks at the credentials of a request.
    ///
    /// @param certificate of the client, which TLS has verified
    /// @param authorization the header of that name
    public Outcome authenticate(
            Optional<X509Certificate> certificate, Optional<String> authorization) {
        var byCertificate = certificate.flatMap(this::user);
        if (byCertificate.isPresent()) {
            return new Outcome.Known(byCertificate.get());
        }
        var token = authorization.map(Authenticator::token);
        if (certificate.isEmpty() && authorization.isEmpty()) {
            return new Outcome.Known(User.anonymous());
        }
        return token.filter(one -> !one.isEmpty())
                .flatMap(this::user)
                .<Outcome>map(Outcome.Known::new)
                .orElseGet(Outcome.Refused::new);
    }

    /// The token of an `Authorization: Bearer …`; empty for headers that are something else.
    private static String token(String header) {
        var trimmed = header.strip();
        return trimmed.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? trimmed.substring(BEARER.length()).strip()
                : "";
    }

    private Optional<User> user(String token) {
        return tokens.read(token, audiences, clock.instant())
                        instanceof ServiceAccountTokens.Reading.Valid(var user, _)
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
