package dev.berth.server.http.response;

import dev.berth.server.nodes.NodeAddress;
import dev.berth.server.nodes.NodeConnections;
import java.net.http.WebSocket;

/// A WebSocket session with a node that has not been opened yet.
///
/// @param path path on the node's endpoint, with the query
/// @param protocol the WebSocket subprotocol
public record NodeProxySession(
        NodeConnections nodes, NodeAddress node, String path, String protocol) {

    public WebSocket open(WebSocket.Listener listener) {
        return nodes.openWebSocket(node, path, protocol, listener);
    }
}
