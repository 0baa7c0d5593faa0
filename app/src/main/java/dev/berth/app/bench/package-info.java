/// Measurements that people can repeat.
@NullMarked
package dev.berth.app.bench;

import org.jspecify.annotations.NullMarked;
