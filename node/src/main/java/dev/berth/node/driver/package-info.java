/// SDK for Dynamic Resource Allocation drivers.
///
/// A driver publishes its devices ([DriverHost#publish][ dev.berth.node.driver.DriverHost#publish])
/// and prepares claims for containers ([Driver][dev.berth.node.driver.Driver]). The SDK does the
/// rest: registration with a kubelet or Berth's node agent, reading and validating claims, decoding
/// opaque parameters, CDI specs, idempotence by claim records, ResourceSlices with their splitting
/// and pool generations, health reports, `status.devices` of claims, metrics.
/// [DriverProgram][dev.berth.node.driver.DriverProgram] is a complete `main`.
///
/// Stable: public types change only with a new major version.
@NullMarked
package dev.berth.node.driver;

import org.jspecify.annotations.NullMarked;
