/// Image store of the node: imports images from archives and directories, verifies them and unpacks
/// them once. [ImageStore][dev.berth.node.image.ImageStore] is the entry point.
@NullMarked
package dev.berth.node.image;

import org.jspecify.annotations.NullMarked;
