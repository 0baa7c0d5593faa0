/// The CEL function libraries of Kubernetes and cel-go's extensions, one class per library. Each
/// [Overload] has its declaration, implementation, cost estimate and runtime cost. [Libraries]
/// lists them with the Kubernetes version that introduced each; [CelValues] defines equality and
/// order of values.
@NullMarked
package dev.berth.core.cel.library;

import org.jspecify.annotations.NullMarked;
