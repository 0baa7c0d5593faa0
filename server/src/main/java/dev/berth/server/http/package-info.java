/// The protocol: requests, answers, watches.
@NullMarked
package dev.berth.server.http;

import org.jspecify.annotations.NullMarked;
