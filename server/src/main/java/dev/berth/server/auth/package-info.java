/// Authentication and authorization: client certificates, service account tokens, impersonation,
/// RBAC, the node authorizer and NodeRestriction, and the certificate authority of the cluster.
/// [Authenticator] authenticates requests, [Authorizers] combines the authorizers.
@NullMarked
package dev.berth.server.auth;

import org.jspecify.annotations.NullMarked;
