/// Validation of DRA objects, pods and pod groups. [Validation] combines handwritten and
/// declarative rules in the order of the API server.
@NullMarked
package dev.berth.core.admission.validation;

import org.jspecify.annotations.NullMarked;
