/// Taints and tolerations of devices, for allocation and eviction alike.
@NullMarked
package dev.berth.core.taint;

import org.jspecify.annotations.NullMarked;
