/// `berth conformance`: compares Berth with recorded results of Kubernetes, case by case.
@NullMarked
package dev.berth.app.conformance;

import org.jspecify.annotations.NullMarked;
