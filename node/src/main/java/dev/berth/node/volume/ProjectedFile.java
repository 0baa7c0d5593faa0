package dev.berth.node.volume;

import com.google.protobuf.ByteString;

/// A file of a volume that shows objects of the cluster.
///
/// @param mode its permissions, as of `chmod`
record ProjectedFile(ByteString content, int mode) {}
