/// Checks manifests as the API server would, before there is one.
@NullMarked
package dev.berth.app.lint;

import org.jspecify.annotations.NullMarked;
