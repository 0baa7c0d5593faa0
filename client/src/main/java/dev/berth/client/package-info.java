/// The cluster port: what loops read and write, wherever the cluster is.
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
