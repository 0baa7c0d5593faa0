/// How to reach a cluster and as whom: kubeconfig files, service accounts, plugins.
@NullMarked
package dev.berth.client.config;

import org.jspecify.annotations.NullMarked;
