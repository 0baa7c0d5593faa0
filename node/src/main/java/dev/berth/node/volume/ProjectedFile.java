package dev.berth.node.volume;

import com.google.protobuf.ByteString;

/// A file of a volume that projects API objects.
///
/// @param mode its permissions, as of `chmod`
record ProjectedFile(ByteString content, int mode) {}
