/// Test support of all modules: polling for conditions, golden files, data beside the repository.
@NullMarked
package dev.berth.harness;

import org.jspecify.annotations.NullMarked;
