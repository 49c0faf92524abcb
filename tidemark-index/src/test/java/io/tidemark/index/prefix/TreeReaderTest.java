package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Readers beside the writer: every answer is that of a state of the tree during the call. */
class TreeReaderTest {
    /** What a reader was told, and the changes that the writer had ended before and begun after. */
    private record Answer(int key, WatchedTree.MatchLengths lengths, Optional<TreeStats> stats, int from, int to) {}

    static Stream<TreeOptions> settings() {
        TreeOptions options = TreeOptions.DEFAULT.withExpectedNodes(1);
        return Stream.of(
                options,
                options.withBigram(true).withPageSize(3).withPolicy(new TreePolicy.Lfu()),
                options.withHost(new HostOptions(WritePolicy.WRITE_THROUGH, 1, 2)),
                options.withHost(new HostOptions(WritePolicy.WRITE_BACK, 1, 2)),
                options.withComponents(ComponentOptions.window(9).withStates()));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void readersSeeStatesOfTheTreeOnlyWhileTheWriterGoesOn(TreeOptions options) throws Exception {
        for (long seed = 0; seed < 2; seed++) {
            race(options, seed, 4_000);
        }
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("settings")
    void readersSeeStatesOfTheTreeOnlyForLong(TreeOptions options) throws Exception {
        for (long seed = 10; seed < 20; seed++) {
            race(options, seed, 40_000);
        }
    }

    /** The seeded schedule: the writer goes on between a reader's walk and its check, some times in a row. */
    @ParameterizedTest
    @MethodSource("settings")
    void aReadThatAChangeOvertookIsReadAgain(TreeOptions options) {
        WatchedTree watched = new WatchedTree(options, 5);
        Random schedule = new Random(6);
        int[] overtaken = new int[1];
        TreeReader reader = watched.tree().reader(() -> {
            for (; overtaken[0] > 0 && schedule.nextInt(3) > 0; overtaken[0]--) {
                watched.change();
            }
        });
        MatchResult result = new MatchResult();
        for (int call = 0; call < 2_000; call++) {
            overtaken[0] = schedule.nextInt(5);
            int key = schedule.nextInt(WatchedTree.KEYS);
            assertThat(reader.match(watched.key(key), result)).isTrue();
            int last = watched.ended();
            assertThat(watched.found(key, WatchedTree.MatchLengths.of(result), last, last))
                    .as("call %d", call)
                    .isTrue();
            overtaken[0] = schedule.nextInt(5);
            assertThat(reader.stats()).contains(watched.tree().stats());
        }
    }

    @Test
    void aWriterThatNeverRestsIsAnsweredForByNothing() {
        WatchedTree watched = new WatchedTree(TreeOptions.DEFAULT, 7);
        TreeReader reader = watched.tree().reader(() -> watched.tree().evict(1));
        MatchResult result = new MatchResult();
        result.set(1, 1, 1, 1, 1);

        assertThat(reader.match(watched.key(0), result)).isFalse();
        assertThat(result.fullLength()).isZero();
        assertThat(reader.stats()).isEmpty();
    }

    @Test
    void inTheMiddleOfAChangeThereIsNoAnswer() {
        List<Boolean> answered = new ArrayList<>();
        List<TreeReader> readers = new ArrayList<>();
        TreeListener listener = new TreeListener() {
            @Override
            public void victim(int node) {
                answered.add(readers.getFirst().match(new TokenKey().set(0, new int[] {1}), new MatchResult()));
                answered.add(readers.getFirst().stats().isPresent());
            }
        };
        PrefixTree<CountedSlots> tree = new PrefixTree<>(
                TreeOptions.DEFAULT, TreeServices.deviceOnly(CountedSlots.SLOTS).withListener(listener));
        readers.add(tree.reader());
        tree.insert(new TokenKey().set(0, new int[] {1, 2}), new Insertion<>(CountedSlots.SLOTS));
        tree.evict(1);

        assertThat(answered).containsExactly(false, false);
        assertThat(readers.getFirst().stats()).contains(tree.stats());
    }

    private static void race(TreeOptions options, long seed, int changes) throws Exception {
        WatchedTree watched = new WatchedTree(options, seed);
        CountDownLatch go = new CountDownLatch(1);
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<List<Answer>>> reading = new ArrayList<>();
            for (int reader = 0; reader < 2; reader++) {
                Random random = new Random(seed + reader);
                reading.add(threads.submit(() -> read(watched, go, random, changes)));
            }
            go.countDown();
            for (int change = 0; change < changes; change++) {
                watched.change();
            }
            for (Future<List<Answer>> one : reading) {
                answers.addAll(one.get(60, TimeUnit.SECONDS));
            }
        }
        watched.tree().sanityCheck();
        assertThat(answers).isNotEmpty();
        assertThat(answers.stream()
                        .filter(answer -> !isOfAState(watched, answer))
                        .findFirst())
                .as("seed %d of %s", seed, options)
                .isEmpty();
    }

    private static boolean isOfAState(WatchedTree watched, Answer answer) {
        return answer.stats()
                .map(stats -> watched.counted(stats, answer.from(), answer.to()))
                .orElseGet(() -> watched.found(answer.key(), answer.lengths(), answer.from(), answer.to()));
    }

    private static List<Answer> read(WatchedTree watched, CountDownLatch go, Random random, int changes)
            throws InterruptedException {
        TreeReader reader = watched.tree().reader();
        MatchResult result = new MatchResult();
        TokenKey[] keys = new TokenKey[WatchedTree.KEYS];
        for (int key = 0; key < keys.length; key++) {
            keys[key] = watched.key(key);
        }
        List<Answer> answers = new ArrayList<>();
        go.await();
        for (int from = watched.ended(); from < changes && answers.size() < 200_000; from = watched.ended()) {
            int key = random.nextInt(keys.length);
            if (random.nextInt(8) == 0) {
                Optional<TreeStats> stats = reader.stats();
                int to = watched.begun();
                if (stats.isPresent()) {
                    answers.add(new Answer(key, new WatchedTree.MatchLengths(0, 0, 0), stats, from, to));
                }
            } else if (reader.match(keys[key], result)) {
                answers.add(
                        new Answer(key, WatchedTree.MatchLengths.of(result), Optional.empty(), from, watched.begun()));
            }
        }
        return answers;
    }
}
