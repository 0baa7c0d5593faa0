/// Text as Kubernetes, which is written in Go, prints it.
@NullMarked
package dev.berth.core.text;

import org.jspecify.annotations.NullMarked;
