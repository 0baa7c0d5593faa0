/// Reads recorded allocations of Kubernetes, for conformance tests.
@NullMarked
package dev.berth.core.testkit.conformance;

import org.jspecify.annotations.NullMarked;
