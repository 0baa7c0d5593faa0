/// The version of Berth, from the build.
@NullMarked
package dev.berth.app.version;

import org.jspecify.annotations.NullMarked;
