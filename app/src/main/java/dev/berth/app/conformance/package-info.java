/// Compares Berth with recorded answers of a real Kubernetes, case by case.
@NullMarked
package dev.berth.app.conformance;

import org.jspecify.annotations.NullMarked;
