/// Checks of trees against the types of their kinds: unknown fields, wrong types, canonical values.
@NullMarked
package dev.berth.schema.check;

import org.jspecify.annotations.NullMarked;
