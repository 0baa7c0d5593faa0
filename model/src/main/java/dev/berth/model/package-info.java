/// The vocabulary of dynamic resource allocation: values without behaviour that needs a cluster.
@NullMarked
package dev.berth.model;

import org.jspecify.annotations.NullMarked;
