/// The registry: the served kinds ([Resource]) and the implementation of the API verbs on stored
/// objects. [ObjectReads] gets and lists, [ObjectWrites] creates, updates and patches,
/// [ObjectDeletes] deletes. [Strategy] holds the rules of a kind, [AdmissionChain] the rules that
/// span objects. Entry point: [Registry].
@NullMarked
package dev.berth.server.registry;

import org.jspecify.annotations.NullMarked;
