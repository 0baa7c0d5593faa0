/// X.509 certificates and keys: creation, certificate requests, PEM and DER encoding, fingerprints.
@NullMarked
package dev.berth.model.certificate;

import org.jspecify.annotations.NullMarked;
