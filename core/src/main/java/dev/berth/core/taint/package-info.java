/// Device taints and tolerations, for allocation and eviction.
@NullMarked
package dev.berth.core.taint;

import org.jspecify.annotations.NullMarked;
