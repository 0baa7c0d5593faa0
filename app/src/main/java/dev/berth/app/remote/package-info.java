/// The cluster of a command: options, choice and connection; services with leader election.
@NullMarked
package dev.berth.app.remote;

import org.jspecify.annotations.NullMarked;
