/// Taints and tolerations of devices and nodes, and DeviceTaintRules.
@NullMarked
package dev.berth.model.api.taint;

import org.jspecify.annotations.NullMarked;
