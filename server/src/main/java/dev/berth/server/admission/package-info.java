/// Admission rules of their own: Pod Security, certificate signing requests.
@NullMarked
package dev.berth.server.admission;

import org.jspecify.annotations.NullMarked;
