/// Container runtime over CRI, such as containerd or CRI-O.
/// [CriRuntime][dev.berth.node.cri.CriRuntime] is the entry point.
@NullMarked
package dev.berth.node.cri;

import org.jspecify.annotations.NullMarked;
