package dev.berth.client.http;

import dev.berth.client.config.ClusterAccess;
import dev.berth.model.text.FailureText;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/// A connection to an API server that failed.
///
/// @param text the error
/// @param remedy what to do; empty for transient errors
record ConnectionProblem(String text, String remedy) {

    /// @param request method and URL
    static ConnectionProblem of(Throwable failure, String request, ClusterAccess access) {
        var server = access.server();
        if (has(failure, CertificateException.class) || has(failure, SSLException.class)) {
            return ofTls(failure, access);
        }
        var reason = reason(failure, server.getHost());
        return reason.isEmpty()
                ? new ConnectionProblem("%s: %s".formatted(request, innermost(failure)), "")
                : new ConnectionProblem(
                        "no API server responds at %s: %s".formatted(server, reason),
                        "start it, or correct the server address in " + access.origin());
    }

    /// Why there is no connection; empty when there was one.
    private static String reason(Throwable failure, String host) {
        if (has(failure, UnresolvedAddressException.class)
                || has(failure, UnknownHostException.class)) {
            return "unknown host " + host;
        }
        if (has(failure, HttpConnectTimeoutException.class)) {
            return "connection timed out";
        }
        var isRefused = has(failure, ConnectException.class);
        for (var at = failure; at != null; at = at.getCause()) {
            var text = String.valueOf(at.getMessage());
            if (at instanceof NoRouteToHostException
                    || (isRefused && text.contains("Network is unreachable"))) {
                return "no route to host";
            }
        }
        return isRefused ? "connection refused" : "";
    }

    private static ConnectionProblem ofTls(Throwable failure, ClusterAccess access) {
        var server = access.server();
        if (has(failure, CertificateExpiredException.class)) {
            return new ConnectionProblem(
                    "the certificate of the API server at %s has expired".formatted(server),
                    "renew it, and check the clocks of both machines");
        }
        if (has(failure, CertPathBuilderException.class)
                || has(failure, CertPathValidatorException.class)) {
            return new ConnectionProblem(
                    "the certificate of the API server at %s is not signed by the CA of %s"
                            .formatted(server, access.origin()),
                    "use the kubeconfig of this cluster, or correct its certificate-authority");
        }
        if (has(failure, CertificateException.class)) {
            return new ConnectionProblem(
                    "the certificate of the API server at %s is for another name: %s"
                            .formatted(server, innermost(failure)),
                    "set tls-server-name in %s to a name of the certificate, or correct the server"
                                    .formatted(access.origin())
                            + " address");
        }
        return new ConnectionProblem(
                "no TLS connection to %s: %s".formatted(server, innermost(failure)),
                "check the server address in " + access.origin());
    }

    /// The server is connected but does not respond.
    static ConnectionProblem noResponse(ClusterAccess access, Duration timeout) {
        return new ConnectionProblem(
                "the API server at %s (%s) did not respond within %d s"
                        .formatted(access.server(), access.origin(), timeout.toSeconds()),
                "check the server and the network");
    }

    /// The server rejects the credentials.
    static ConnectionProblem unauthorized(ClusterAccess access) {
        return new ConnectionProblem(
                "the API server at %s rejects the credentials of %s (401)"
                        .formatted(access.server(), access.origin()),
                "renew the token or client certificate");
    }

    /// Error and remedy in one line.
    String line() {
        return remedy.isEmpty() ? text : text + "; " + remedy;
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
