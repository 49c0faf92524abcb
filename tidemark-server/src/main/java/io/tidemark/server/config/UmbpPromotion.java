package io.tidemark.server.config;

import io.tidemark.server.config.DocNode.Form;
import java.util.Optional;

/** Reads what a tier of UMBP's policy file says about promotion, in either of the ways it was ever written. */
final class UmbpPromotion {
    private static final ValueType<String> MODE = ValueType.choice("copy", "move");
    private static final ValueType<String> TRIGGER = ValueType.choice("never", "on_read", "on_hits");
    /** After one hit is {@code on_read}. */
    private static final ValueType<Integer> HITS = ValueType.count(2, Integer.MAX_VALUE);

    private UmbpPromotion() {}

    static Optional<TierPlan.Promotion> read(FieldReader tier) {
        boolean older = tier.find("promote_on_read").isPresent()
                || tier.find("promotion_mode").isPresent();
        boolean newer = tier.find("promote_trigger").isPresent()
                || tier.find("promote_hits").isPresent()
                || tier.find("promote_mode").isPresent();
        if (older && newer) {
            tier.problem(
                    "promote_trigger", "promotion is said in two ways; expected promote_trigger or promote_on_read");
        }
        return older ? older(tier) : newer(tier);
    }

    private static Optional<TierPlan.Promotion> older(FieldReader tier) {
        boolean onRead =
                tier.get("promote_on_read", Form.SWITCH, ValueType.SWITCH).orElse(false);
        boolean move = isMove(tier, "promotion_mode");
        return onRead ? Optional.of(new TierPlan.Promotion(1, move)) : Optional.empty();
    }

    private static Optional<TierPlan.Promotion> newer(FieldReader tier) {
        String trigger = tier.get("promote_trigger", Form.TEXT, TRIGGER).orElse("never");
        Optional<Integer> hits = tier.get("promote_hits", Form.NUMBER, HITS);
        boolean move = isMove(tier, "promote_mode");
        boolean onHits = trigger.equals("on_hits");
        if (onHits) {
            tier.expect("promote_hits", "a whole number of 2 or more");
        } else if (tier.find("promote_hits").isPresent()) {
            tier.problem(
                    "promote_hits", "promote_hits has no effect with this trigger; expected promote_trigger 'on_hits'");
        }
        return trigger.equals("never") ? Optional.empty() : Optional.of(new TierPlan.Promotion(hits.orElse(1), move));
    }

    /** A copy unless it says otherwise, as in UMBP. */
    private static boolean isMove(FieldReader tier, String field) {
        return tier.get(field, Form.TEXT, MODE).stream().anyMatch("move"::equals);
    }
}
