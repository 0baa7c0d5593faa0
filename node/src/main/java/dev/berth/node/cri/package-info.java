/// Containers by a runtime that speaks CRI, such as containerd or CRI-O.
@NullMarked
package dev.berth.node.cri;

import org.jspecify.annotations.NullMarked;
