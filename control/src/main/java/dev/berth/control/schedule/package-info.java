/// The scheduler: carries out what `core.schedule` decides.
///
/// One thread owns the view of the cluster and the queue. It takes in what watches tell, decides
/// where pods go, and assumes that they are there. Writes are made elsewhere and their outcomes
/// come back as messages, so that nothing here needs a lock.
///
/// **Two schedulers at once.** That two never give devices to one claim is what resource versions
/// are for. That two claims never get one device takes a second look: after a claim was written,
/// its pod is bound only when the watch has shown that write, and thus every write before it. When
/// somebody else's claim got the same device, or anything of a pool that is divided up, in between,
/// the later of the two writes gives its devices back before any pod could use them.
@NullMarked
package dev.berth.control.schedule;

import org.jspecify.annotations.NullMarked;
