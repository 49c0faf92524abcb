package io.tidemark.server;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.EvictionResult;
import io.tidemark.core.pool.Pool;
import io.tidemark.server.http.Json;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Request;
import io.tidemark.server.http.Route;
import io.tidemark.server.keys.KeyCodec;
import io.tidemark.server.keys.PlaceNames;
import io.tidemark.server.metrics.CounterSource;
import io.tidemark.server.metrics.PrometheusText;
import io.tidemark.server.resp.Lookups;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What the admin port answers. */
final class AdminRoutes {
    private final Lifecycle lifecycle;
    private final Supplier<Optional<String>> sickness;
    private final Supplier<List<String>> losses;
    private final Supplier<Endpoints> endpoints;
    private final Supplier<Lookups> lookups;
    private final CounterSource counters;

    /**
     * Answers from these sources.
     *
     * @param sickness what is wrong with the threads that serve; nothing while they do
     * @param losses what is out of order while the rest serves
     */
    AdminRoutes(
            Lifecycle lifecycle,
            Supplier<Optional<String>> sickness,
            Supplier<List<String>> losses,
            Supplier<Endpoints> endpoints,
            Supplier<Lookups> lookups,
            CounterSource counters) {
        this.lifecycle = lifecycle;
        this.sickness = sickness;
        this.losses = losses;
        this.endpoints = endpoints;
        this.lookups = lookups;
        this.counters = counters;
    }

    /**
     * By path.
     *
     * @param pool empty until it serves
     */
    Map<String, Route> routes(Supplier<Optional<Pool>> pool) {
        return Map.of(
                "/livez", new Route("GET", false, _ -> liveness()),
                "/readyz", new Route("GET", false, _ -> readiness()),
                "/metrics", new Route("GET", true, _ -> metrics()),
                "/api/v1/status", new Route("GET", true, _ -> withPool(pool, this::status)),
                "/api/v1/evict", new Route("POST", true, request -> evict(pool, request)));
    }

    /** A process whose threads hang or have died answers 503 too: only a new one helps. */
    private Reply liveness() {
        return sickness.get().map(found -> Reply.text(503, found)).orElseGet(() -> Reply.text(200, "alive"));
    }

    /** A server without one of its devices serves: it is ready, and names what it lacks. */
    private Reply readiness() {
        Optional<String> found = sickness.get();
        if (found.isPresent()) {
            return Reply.text(503, found.get());
        }
        Lifecycle.Phase phase = lifecycle.phase();
        String text =
                Stream.concat(Stream.of(phase.word()), losses.get().stream()).collect(Collectors.joining("\n"));
        return Reply.text(phase == Lifecycle.Phase.SERVING ? 200 : 503, text);
    }

    private Reply metrics() {
        PrometheusText text = new PrometheusText();
        counters.counters(text);
        return new Reply(200, PrometheusText.CONTENT_TYPE, text.page());
    }

    private static Reply withPool(Supplier<Optional<Pool>> pool, Function<Pool, Reply> answer) {
        return pool.get().map(answer).orElseGet(() -> Reply.error(503, "the pool does not serve yet"));
    }

    private Reply status(Pool pool) {
        Lookups found = lookups.get();
        return Reply.plainJson(
                200,
                new ServerStatus(
                        lifecycle.phase().word(),
                        ManagementFactory.getRuntimeMXBean().getUptime() / 1e3,
                        endpoints.get(),
                        found.hits(),
                        found.misses(),
                        pool.status()));
    }

    /**
     * Takes JSON only: a form that a web page sends to loopback in somebody's browser is not JSON by its media type.
     */
    private static Reply evict(Supplier<Optional<Pool>> pool, Request request) throws IOException {
        if (!request.contentType().equals("application/json")) {
            return Reply.error(415, "expected Content-Type: application/json");
        }
        Optional<String> body = request.body();
        if (body.isEmpty()) {
            return Reply.error(413, "body too long");
        }
        try {
            Eviction asked = Json.readExactly(body.get(), Eviction.class);
            BlockKey block = asked.block();
            return withPool(pool, found -> {
                PlaceNames where = PlaceNames.of(found.config(), asked.tier(), asked.backend());
                EvictionRequest eviction =
                        new EvictionRequest(block, where.tier(), where.backend(), EvictionReason.CAPACITY);
                EvictionResult result = found.evict(eviction);
                return Reply.json(200, Evicted.of(found, eviction, result));
            });
        } catch (UnrecognizedPropertyException e) {
            return Reply.error(
                    400, "unknown field '" + e.getPropertyName() + "'; expected key or key_hex, tier, backend");
        } catch (JacksonException e) {
            return Reply.error(
                    400, "no such request; expected an object with key or key_hex: " + e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            return Reply.error(400, String.valueOf(e.getMessage()));
        }
    }

    /** The body of {@code /api/v1/evict}: the key as text or as hex digits, and where from. */
    record Eviction(Optional<String> key, Optional<String> keyHex, Optional<String> tier, Optional<String> backend) {
        /** The key of the block that is meant. */
        BlockKey block() {
            if (key.isPresent() == keyHex.isPresent()) {
                throw new IllegalArgumentException("expected either key or key_hex");
            }
            byte[] bytes = key.map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .orElseGet(() -> KeyCodec.parseHex(keyHex.orElseThrow()));
            return KeyCodec.decode(bytes);
        }
    }
}
