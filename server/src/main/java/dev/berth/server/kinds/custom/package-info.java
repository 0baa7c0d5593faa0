/// CustomResourceDefinitions: their rules, and the resources that they define ([CustomKinds]).
@NullMarked
package dev.berth.server.kinds.custom;

import org.jspecify.annotations.NullMarked;
