/// Text for terminals: help, tables, wrapping, colours, progress, escaping.
@NullMarked
package dev.berth.app.print;

import org.jspecify.annotations.NullMarked;
