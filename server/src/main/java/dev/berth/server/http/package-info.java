/// The HTTP API, on the HTTP library (Jetty): [HttpListener] accepts connections, [ApiHandler] and
/// [RequestExchange] run requests and send responses. [ConnectionTimeouts] and [ControlFrameLimits]
/// limit connections. Entry point: [Endpoint].
@NullMarked
package dev.berth.server.http;

import org.jspecify.annotations.NullMarked;
