/// Why claims do not fit, as values and as text: what is short, what took it away, who holds it,
/// and which small change would help.
@NullMarked
package dev.berth.core.explain;

import org.jspecify.annotations.NullMarked;
