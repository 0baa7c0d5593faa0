/// The state of the cluster that scheduling depends on, as immutable values.
///
/// A [ClusterSnapshot] consists of a [ClusterInventory] (nodes, pools, classes), a [ClusterUsage]
/// (pods on nodes, holders of devices) and a [ClusterContext] (volumes, namespaces, pod groups). It
/// applies one change after the other; a change costs as much as the objects concerned. A
/// [NodeView] is one node of a snapshot, a [Placement] a pod on its node that can be assumed.
@NullMarked
package dev.berth.core.snapshot;

import org.jspecify.annotations.NullMarked;
