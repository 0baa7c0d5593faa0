package dev.berth.server.http;

import dev.berth.server.nodes.NodeAddress;
import dev.berth.server.nodes.NodeConnections;
import java.net.http.WebSocket;

/// A conversation with a node that is wanted, and has not begun.
///
/// @param path of the node's door, with the query
/// @param protocol of the messages
record NodeProxySession(NodeConnections doors, NodeAddress node, String path, String protocol) {

    WebSocket begin(WebSocket.Listener listener) {
        return doors.converse(node, path, protocol, listener);
    }
}
