/// Who asks for what, and what is said to it: the words that all parts share.
@NullMarked
package dev.berth.server.access;

import org.jspecify.annotations.NullMarked;
