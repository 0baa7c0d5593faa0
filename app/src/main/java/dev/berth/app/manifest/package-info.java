/// Manifests from files: where objects come from when there is no server.
@NullMarked
package dev.berth.app.manifest;

import org.jspecify.annotations.NullMarked;
