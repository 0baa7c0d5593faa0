/// Pod Security Standards: the levels privileged, baseline and restricted as functions of a pod.
@NullMarked
package dev.berth.core.podsecurity;

import org.jspecify.annotations.NullMarked;
