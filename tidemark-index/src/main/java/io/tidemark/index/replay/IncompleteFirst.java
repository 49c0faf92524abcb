package io.tidemark.index.replay;

import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.NodeFacts;

/** Another policy, with incomplete tails before everything else ({@code +np}): their key is zero in every part. */
record IncompleteFirst(KeyedPolicy policy, NodeFacts facts) implements KeyedPolicy {
    @Override
    public KeyFunction key() {
        return new Key(policy.key(), facts);
    }

    @Override
    public void used(int block) {
        policy.used(block);
    }

    @Override
    public void stored(int block) {
        policy.stored(block);
    }

    /** A victim that went for being incomplete says nothing about the worth of others. */
    @Override
    public void evicted(int block) {
        if (!facts.incompleteTail(block)) {
            policy.evicted(block);
        }
    }

    private record Key(KeyFunction key, NodeFacts facts) implements KeyFunction {
        @Override
        public int parts() {
            return key.parts();
        }

        @Override
        public long first(int block) {
            return facts.incompleteTail(block) ? 0 : key.first(block);
        }

        @Override
        public long second(int block) {
            return facts.incompleteTail(block) ? 0 : key.second(block);
        }

        @Override
        public long third(int block) {
            return facts.incompleteTail(block) ? 0 : key.third(block);
        }
    }
}
