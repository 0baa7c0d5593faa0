/// Admission plugins: Pod Security and certificate signing requests.
@NullMarked
package dev.berth.server.admission;

import org.jspecify.annotations.NullMarked;
