/// What can be said of manifests beyond the rules of the API: likely mistakes, with the likely
/// cure.
@NullMarked
package dev.berth.core.lint;

import org.jspecify.annotations.NullMarked;
