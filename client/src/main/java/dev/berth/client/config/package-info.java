/// Client configuration: kubeconfig files, in-cluster service accounts, exec plugins and proxies.
/// [dev.berth.client.config.ClusterAccess#find] is the entry point.
@NullMarked
package dev.berth.client.config;

import org.jspecify.annotations.NullMarked;
