/// Pods for those who ask for many: deployments, replica sets and jobs.
@NullMarked
package dev.berth.control.workloads;

import org.jspecify.annotations.NullMarked;
