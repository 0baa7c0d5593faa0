/// Scenarios: directories with manifests and expected results, run on any cluster.
@NullMarked
package dev.berth.app.scenario;

import org.jspecify.annotations.NullMarked;
