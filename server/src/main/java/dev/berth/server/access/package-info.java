/// Types shared by authentication and authorization: [User], [AuthorizationRequest],
/// [AuthorizationDecision] and [Authorizer].
@NullMarked
package dev.berth.server.access;

import org.jspecify.annotations.NullMarked;
