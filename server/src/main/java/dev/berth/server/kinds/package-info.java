/// The built-in resources of the API server and their rules. [BuiltInKinds] is the entry point.
@NullMarked
package dev.berth.server.kinds;

import org.jspecify.annotations.NullMarked;
