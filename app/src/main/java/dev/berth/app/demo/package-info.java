/// A walk through all that devices can be asked for.
@NullMarked
package dev.berth.app.demo;

import org.jspecify.annotations.NullMarked;
