/// CEL as the tests use it: from text to an outcome, compiled once.
@NullMarked
package dev.berth.testkit.cel;

import org.jspecify.annotations.NullMarked;
