/// Explanations as text, as JSON and as the message of a pod condition.
@NullMarked
package dev.berth.core.explain.text;

import org.jspecify.annotations.NullMarked;
