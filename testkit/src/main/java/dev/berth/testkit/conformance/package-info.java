/// Reading what Kubernetes answered to the same questions.
@NullMarked
package dev.berth.testkit.conformance;

import org.jspecify.annotations.NullMarked;
