/// Certificates and keys: what they say, and how that is written.
@NullMarked
package dev.berth.model.certificate;

import org.jspecify.annotations.NullMarked;
