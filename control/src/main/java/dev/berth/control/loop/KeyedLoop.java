package dev.berth.control.loop;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A loop over keys: watches mirrors, notes which keys have to be looked at, and looks at them.
/// Nothing is looked at before all mirrors have been filled.
public abstract class KeyedLoop<K> implements Loop {

    private static final Logger LOG = LoggerFactory.getLogger(KeyedLoop.class);

    private final Backlog<K> backlog = new Backlog<>();
    private final List<Mirror<?>> mirrors = new CopyOnWriteArrayList<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

    /// Looks at one key. Called for one key by one thread at a time.
    protected abstract Verdict work(K key, Instant now);

    /// Has a mirror be filled before the first key is looked at.
    protected final <T, M extends Mirror<T>> M needs(M mirror) {
        mirrors.add(mirror);
        mirror.onFilled(this::wake);
        return mirror;
    }

    protected final void add(K key) {
        backlog.add(key);
        wake();
    }

    protected final void addAt(K key, Instant at) {
        backlog.addAt(key, at);
        wake();
    }

    private void wake() {
        wakes.forEach(Runnable::run);
    }

    @Override
    public final void onWake(Runnable wake) {
        wakes.add(wake);
    }

    @Override
    public final boolean step(Instant now) {
        if (!isFilled()) {
            return false;
        }
        var key = backlog.take(now);
        if (key.isEmpty()) {
            return false;
        }
        settle(key.get(), verdict(key.get(), now), now);
        return true;
    }

    private Verdict verdict(K key, Instant now) {
        try {
            return work(key, now);
        } catch (RuntimeException e) {
            LOG.warn("{}: {} failed and will be tried again", getClass().getSimpleName(), key, e);
            return new Verdict.Retry(e.toString());
        }
    }

    private void settle(K key, Verdict verdict, Instant now) {
        switch (verdict) {
            case Verdict.Done _ -> backlog.done(key);
            case Verdict.Retry(var why) -> {
                LOG.debug("{}: {} will be tried again: {}", getClass().getSimpleName(), key, why);
                backlog.retry(key, now);
                wake();
            }
            case Verdict.Again(var at) -> {
                backlog.addAt(key, at);
                backlog.done(key);
                wake();
            }
        }
    }

    private boolean isFilled() {
        return mirrors.stream().allMatch(Mirror::isFilled);
    }

    @Override
    public final Optional<Instant> nextDue() {
        return isFilled() ? backlog.nextDue() : Optional.empty();
    }
}
