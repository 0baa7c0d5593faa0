/// Handlers of API requests, independent of the HTTP library: [Router] authorizes requests and
/// dispatches them to [ObjectRequests], [NonResourcePaths] or a review.
@NullMarked
package dev.berth.server.http.handler;

import org.jspecify.annotations.NullMarked;
