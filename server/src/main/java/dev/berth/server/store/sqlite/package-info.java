/// Store in a SQLite file behind a [WriteAheadLog]: group commit, detection of damaged files,
/// recovery, backup, and conversion of older formats.
@NullMarked
package dev.berth.server.store.sqlite;

import org.jspecify.annotations.NullMarked;
