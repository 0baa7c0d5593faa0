/// `berth sdk`: the driver SDK as Maven artifacts.
@NullMarked
package dev.berth.app.sdk;

import org.jspecify.annotations.NullMarked;
