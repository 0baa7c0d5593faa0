/// `berth lint`: validates manifests with the rules of the API server, without a server.
@NullMarked
package dev.berth.app.lint;

import org.jspecify.annotations.NullMarked;
