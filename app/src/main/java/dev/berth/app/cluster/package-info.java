/// A cluster from files: what there is, and what is to run on it.
@NullMarked
package dev.berth.app.cluster;

import org.jspecify.annotations.NullMarked;
