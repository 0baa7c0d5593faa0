/// Who somebody is, and what they may do.
@NullMarked
package dev.berth.server.auth;

import org.jspecify.annotations.NullMarked;
