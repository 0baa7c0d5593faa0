/// Checks of manifests beyond the validation of the API server: likely mistakes, with suggestions.
@NullMarked
package dev.berth.core.lint;

import org.jspecify.annotations.NullMarked;
