/// The Kubernetes streaming protocol of exec: channels that share one WebSocket.
@NullMarked
package dev.berth.node.channel;

import org.jspecify.annotations.NullMarked;
