/// The Common Expression Language (CEL) for devices, compatible with Kubernetes 1.37: compiles,
/// estimates the cost of, evaluates and explains selectors and derived attributes. [CelCompiler]
/// parses and type-checks with cel-java and returns a [CheckedExpression]; [CelProgram] evaluates
/// it on a [DeviceView] with the cost accounting and error messages of Kubernetes.
/// [ValidationRuleCompiler] compiles the validation rules of CustomResourceDefinitions.
@NullMarked
package dev.berth.core.cel;

import org.jspecify.annotations.NullMarked;
