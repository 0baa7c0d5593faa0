/// What it takes to write a driver for devices.
///
/// A driver says which devices there are ([DriverHost#publish][
/// dev.berth.node.driver.DriverHost#publish]), and what is to be done so that a container can use
/// some of them ([Driver][dev.berth.node.driver.Driver]). The rest is done here: registration with
/// a kubelet or Berth's own agent, fetching and checking of claims, reading of parameters, CDI
/// documents, not doing things twice, slices with their splitting and generations, health, what
/// claims tell of their devices, metrics.
///
/// Stable: what is public here changes only with a new major version.
@NullMarked
package dev.berth.node.driver;

import org.jspecify.annotations.NullMarked;
