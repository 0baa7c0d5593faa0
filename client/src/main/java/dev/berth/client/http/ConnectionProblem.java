package dev.berth.client.http;

import dev.berth.client.config.Access;
import dev.berth.model.text.FailureText;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;

/// Messages about connections to an API server that failed.
final class ConnectionProblem {

    private ConnectionProblem() {}

    /// @param request method and address
    static String text(Throwable failure, String request, Access access) {
        var server = access.server();
        if (has(failure, UnresolvedAddressException.class)
                || has(failure, UnknownHostException.class)) {
            return "no API server answers at %s: unknown host %s"
                    .formatted(server, server.getHost());
        }
        if (has(failure, HttpConnectTimeoutException.class)) {
            return "no API server answers at %s: connection timed out".formatted(server);
        }
        if (has(failure, ConnectException.class)) {
            return "no API server answers at %s: connection refused".formatted(server);
        }
        if (has(failure, CertificateExpiredException.class)) {
            return "the certificate of the API server at %s has expired".formatted(server);
        }
        if (has(failure, CertPathBuilderException.class)
                || has(failure, CertPathValidatorException.class)) {
            return "the certificate of the API server at %s is not signed by the CA of %s"
                    .formatted(server, access.origin());
        }
        if (has(failure, CertificateException.class)) {
            return "the certificate of the API server at %s is for another name: %s"
                    .formatted(server, innermost(failure));
        }
        return has(failure, SSLException.class)
                ? "no TLS connection to %s: %s".formatted(server, innermost(failure))
                : "%s: %s".formatted(request, innermost(failure));
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        for (var at = failure; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return true;
            }
        }
        return false;
    }

    /// The innermost message: the outer ones only repeat it.
    private static String innermost(Throwable failure) {
        var at = failure;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return FailureText.of(at);
    }
}
