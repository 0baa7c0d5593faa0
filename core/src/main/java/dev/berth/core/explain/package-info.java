/// Explains why the claims of a pod cannot be allocated. [Explainer] is the entry point: it takes
/// [ExplainInputs], which [ClusterObjects] builds from the objects of a cluster, and returns an
/// [Explanation]. The explanation counts, per node and for the cluster, how many devices which
/// obstacle rules out, names the claims that hold the missing devices, forecasts whether waiting
/// helps, and lists small changes that make the claims fit. Every suggestion is verified by
/// applying it and running the allocator. [ExplanationText] and [ExplanationJson] render the
/// result.
@NullMarked
package dev.berth.core.explain;

import org.jspecify.annotations.NullMarked;
