/// Building blocks of strategies: checks of fields, defaults, formats, and composition of rules.
@NullMarked
package dev.berth.server.kinds.check;

import org.jspecify.annotations.NullMarked;
