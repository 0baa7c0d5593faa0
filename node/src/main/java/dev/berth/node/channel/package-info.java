/// How somebody talks with a command in a container: channels that share one WebSocket.
@NullMarked
package dev.berth.node.channel;

import org.jspecify.annotations.NullMarked;
