/// Port to container runtimes: [ContainerRuntime][dev.berth.node.runtime.ContainerRuntime] and its
/// data types. Implementations are in `node.oci` and `node.cri`.
@NullMarked
package dev.berth.node.runtime;

import org.jspecify.annotations.NullMarked;
