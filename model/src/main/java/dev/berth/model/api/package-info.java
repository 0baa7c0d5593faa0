/// Immutable records of the resource.k8s.io kinds, and of the fields of pods, nodes and volumes
/// that device allocation and scheduling need, one subpackage per area of the API. A "one of" of
/// the API is a sealed interface; unknown values are kept in its case `Unrecognised`.
@NullMarked
package dev.berth.model.api;

import org.jspecify.annotations.NullMarked;
