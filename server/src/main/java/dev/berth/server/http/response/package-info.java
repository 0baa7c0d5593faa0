/// API responses, independent of the HTTP library: media types, objects, lists, tables and watch
/// events.
@NullMarked
package dev.berth.server.http.response;

import org.jspecify.annotations.NullMarked;
