/// The built-in resources of the API server: strategies (defaulting and validation), table columns,
/// subresources, quotas and limit ranges. [BuiltInKinds] is the entry point; [CustomKinds] converts
/// CustomResourceDefinitions to resources.
@NullMarked
package dev.berth.server.kinds;

import org.jspecify.annotations.NullMarked;
