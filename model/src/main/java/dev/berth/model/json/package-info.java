/// An immutable JSON tree, its readers and writers for JSON and YAML, and paths into it.
@NullMarked
package dev.berth.model.json;

import org.jspecify.annotations.NullMarked;
