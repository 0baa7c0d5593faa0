package dev.berth.client.http;

import java.net.http.HttpHeaders;

/// The response to one request.
///
/// @param body the complete body, or a stream that must be closed
record ApiResponse<T>(int statusCode, HttpHeaders headers, T body) {

    /// The `Content-Type`; empty when there is none.
    String mediaType() {
        return headers.firstValue("Content-Type").orElse("");
    }
}
