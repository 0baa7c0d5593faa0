/// CEL evaluation for tests: from expression text to result, with a cache of compiled expressions.
@NullMarked
package dev.berth.core.testkit.cel;

import org.jspecify.annotations.NullMarked;
