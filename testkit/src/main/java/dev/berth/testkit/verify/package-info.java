/// Judging an allocation by the rules, whoever made it. Nothing here is shared with an allocator.
@NullMarked
package dev.berth.testkit.verify;

import org.jspecify.annotations.NullMarked;
