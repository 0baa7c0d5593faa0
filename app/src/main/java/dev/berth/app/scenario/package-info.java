/// Scenarios: folders with manifests and what is expected to come of them.
@NullMarked
package dev.berth.app.scenario;

import org.jspecify.annotations.NullMarked;
