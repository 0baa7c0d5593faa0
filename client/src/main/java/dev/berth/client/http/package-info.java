/// The client of a Kubernetes API server over HTTPS. [dev.berth.client.http.HttpCluster] is the
/// entry point; `HttpReflector` runs a watch, `ConnectionPool` spreads requests over HTTP/2
/// connections and detects dead ones, `NegotiatedEncodings` chooses between protobuf and JSON.
@NullMarked
package dev.berth.client.http;

import org.jspecify.annotations.NullMarked;
