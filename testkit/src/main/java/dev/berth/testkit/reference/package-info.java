/// The allocator as Kubernetes describes it, written to be obviously right and slow.
@NullMarked
package dev.berth.testkit.reference;

import org.jspecify.annotations.NullMarked;
