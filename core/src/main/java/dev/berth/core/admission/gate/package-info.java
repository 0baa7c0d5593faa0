/// Feature gates of Kubernetes 1.37: defaults, stages and dependencies.
@NullMarked
package dev.berth.core.admission.gate;

import org.jspecify.annotations.NullMarked;
