package dev.berth.server.http;

import java.time.Duration;

/// Timeouts of connections and requests.
///
/// @param handshake from the TCP connection to the end of the TLS handshake
/// @param headers from the TLS handshake to the first complete request header, and from the first
///   byte of a later request to the end of its header
/// @param progress without a byte of a request body, or without a response byte that the client
///   reads
/// @param idle of a connection without a request
/// @param queue maximum wait of a request for a seat
public record HttpTimeouts(
        Duration handshake, Duration headers, Duration progress, Duration idle, Duration queue) {

    public static final HttpTimeouts DEFAULT =
            new HttpTimeouts(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofMinutes(3),
                    Duration.ofSeconds(15));

    public HttpTimeouts withHandshake(Duration changed) {
        return new HttpTimeouts(changed, headers, progress, idle, queue);
    }

    public HttpTimeouts withHeaders(Duration changed) {
        return new HttpTimeouts(handshake, changed, progress, idle, queue);
    }

    public HttpTimeouts withProgress(Duration changed) {
        return new HttpTimeouts(handshake, headers, changed, idle, queue);
    }

    public HttpTimeouts withIdle(Duration changed) {
        return new HttpTimeouts(handshake, headers, progress, changed, queue);
    }
}
