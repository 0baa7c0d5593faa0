/// The cluster port onto a server in the same process.
@NullMarked
package dev.berth.app.embedded;

import org.jspecify.annotations.NullMarked;
