/// Operations on objects as values, and their execution: authorization, lookup of the kind, schema
/// check, read, write, patch or delete. The HTTP API builds an [ObjectOperation] from a request;
/// clients in the same process build it directly and send it to [InProcessApi]. Both are executed
/// by [ObjectOperations].
@NullMarked
package dev.berth.server.operation;

import org.jspecify.annotations.NullMarked;
