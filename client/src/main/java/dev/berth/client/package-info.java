/// Client of the Kubernetes API. [dev.berth.client.Cluster] sends requests and runs watches; it is
/// implemented over HTTPS (`client.http`) and, in the module `app`, within the process of an
/// embedded server. Controllers, scheduler, drivers and node agent depend on this interface only.
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
