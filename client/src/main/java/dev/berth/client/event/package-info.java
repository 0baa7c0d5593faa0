/// The event recorder, which all components share.
@NullMarked
package dev.berth.client.event;

import org.jspecify.annotations.NullMarked;
