/// gRPC over unix sockets, on nothing but the JDK's own sockets.
@NullMarked
package dev.berth.node.socket;

import org.jspecify.annotations.NullMarked;
