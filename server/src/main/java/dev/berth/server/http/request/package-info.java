/// API requests, independent of the HTTP library: path, query, options and body.
@NullMarked
package dev.berth.server.http.request;

import org.jspecify.annotations.NullMarked;
