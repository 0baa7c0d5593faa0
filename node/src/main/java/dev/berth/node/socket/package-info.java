/// gRPC over unix sockets of the JDK, without native libraries.
@NullMarked
package dev.berth.node.socket;

import org.jspecify.annotations.NullMarked;
