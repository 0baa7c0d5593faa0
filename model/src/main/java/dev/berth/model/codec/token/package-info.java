/// Readers and writers of JSON values, on streams and on trees.
@NullMarked
package dev.berth.model.codec.token;

import org.jspecify.annotations.NullMarked;
