/// Finding devices for claims: the question, the search and the answer.
@NullMarked
package dev.berth.core.allocate;

import org.jspecify.annotations.NullMarked;
