/// Images on this machine: what containers are made of, imported from archives and directories,
/// checked, and unpacked once.
@NullMarked
package dev.berth.node.image;

import org.jspecify.annotations.NullMarked;
