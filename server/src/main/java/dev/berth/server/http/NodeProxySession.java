package dev.berth.server.http;

import dev.berth.server.nodes.NodeAddress;
import dev.berth.server.nodes.NodeConnections;
import java.net.http.WebSocket;

/// A WebSocket session with a node that has not been opened yet.
///
/// @param path path on the node's endpoint, with the query
/// @param protocol the WebSocket subprotocol
record NodeProxySession(NodeConnections nodes, NodeAddress node, String path, String protocol) {

    WebSocket open(WebSocket.Listener listener) {
        return nodes.openWebSocket(node, path, protocol, listener);
    }
}
