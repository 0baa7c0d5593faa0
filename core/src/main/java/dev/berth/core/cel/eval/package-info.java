/// Evaluates CEL expressions on devices. [Lowering] converts a checked expression once into a tree
/// of stateless nodes (`core.cel.node`); [Evaluator] runs the tree with one frame per evaluation,
/// which accumulates the runtime cost by the rules of Kubernetes. [FailedPartFinder] explains why a
/// selector is false, and [DevicePath] finds the fields that an expression reads.
@NullMarked
package dev.berth.core.cel.eval;

import org.jspecify.annotations.NullMarked;
