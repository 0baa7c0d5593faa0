/// Admission of DRA objects with the rules of the Kubernetes 1.37 API server: defaults, feature
/// gates, dropped fields and validation. [Admission] is the entry point; [AdmissionPreparation]
/// prepares objects. [AdminAccess] and [StatusAuthorization] are checks that depend on the user or
/// the namespace.
@NullMarked
package dev.berth.core.admission;

import org.jspecify.annotations.NullMarked;
