/// Manifests from files, directories and standard input.
@NullMarked
package dev.berth.app.manifest;

import org.jspecify.annotations.NullMarked;
