/// Text formatted as Kubernetes, which is written in Go, does.
@NullMarked
package dev.berth.core.text;

import org.jspecify.annotations.NullMarked;
