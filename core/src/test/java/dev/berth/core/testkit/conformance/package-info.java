/// Reads recorded allocations of Kubernetes, for conformance tests.
@NullMarked
package dev.berth.testkit.conformance;

import org.jspecify.annotations.NullMarked;
