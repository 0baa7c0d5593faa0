/// The cluster port onto a Kubernetes API server behind an address.
@NullMarked
package dev.berth.client.http;

import org.jspecify.annotations.NullMarked;
