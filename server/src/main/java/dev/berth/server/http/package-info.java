/// The HTTP API: [HttpListener] accepts connections, [ApiHandler] and [RequestExchange] run
/// requests, [Router] authorizes and dispatches them to [ObjectRequests], [NonResourcePaths] or a
/// review. [WatchFeed] streams watch events. [Seats], [MemoryBudget] and [ConnectionTimeouts] limit
/// the resources of clients. [InProcessApi] gives controllers in the same process access without a
/// connection. Entry point: [Endpoint].
@NullMarked
package dev.berth.server.http;

import org.jspecify.annotations.NullMarked;
