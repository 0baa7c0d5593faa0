/// The HTTP server of the dashboard on loopback: login, sessions, checks of Host and Origin,
/// headers, the files of the page, data requests and event streams. Knows no Kubernetes objects.
@NullMarked
package dev.berth.dashboard.http;

import org.jspecify.annotations.NullMarked;
