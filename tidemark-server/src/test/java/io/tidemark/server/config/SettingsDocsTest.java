package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.server.GeneratedPart;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SettingsDocsTest {
    @Test
    void theTableInTheDocsIsTheListOfSettings() throws Exception {
        StringBuilder table = new StringBuilder(
                        "| key in the file | variable | flag | form | range | default | meaning |\n")
                .append("|---|---|---|---|---|---|---|\n");
        for (Setting<?> setting : Settings.all()) {
            table.append("| `%s` | `%s` | `%s` | %s | %s | %s | %s |\n"
                    .formatted(
                            setting.key(),
                            setting.variable(),
                            setting.flag(),
                            setting.form().replace("|", ", "),
                            setting.range().isEmpty() ? "-" : setting.range(),
                            setting.defaultText().isEmpty() ? "-" : "`" + setting.defaultText() + "`",
                            setting.meaning()));
        }
        GeneratedPart.assertEquals("docs/configuration.md", table.toString());
    }

    /** What the table promises: both ends are taken, what lies beyond is not. */
    @Test
    void rangesAreThoseThatAreTaken() {
        int checked = 0;
        for (Setting<?> setting : Settings.all()) {
            String[] ends = setting.range().split(" to ", -1);
            if (ends.length != 2 || setting.form().equals("SHARE")) {
                continue;
            }
            setting.type().check(ends[0]);
            setting.type().check(ends[1]);
            String digits = ends[1].replaceAll("\\D", "");
            String beyond = Long.parseLong(digits) + 1 + ends[1].substring(digits.length());
            assertThatThrownBy(() -> setting.type().check(beyond))
                    .as("%s: %s", setting.key(), beyond)
                    .hasMessageContaining("out of range");
            checked++;
        }
        assertThat(checked).isGreaterThan(20);
    }

    @Test
    void theTablesOfTiersInTheDocsAreTheFieldsThatAreRead() throws Exception {
        GeneratedPart.assertEquals("docs/configuration.md", "tier", table(TierFields.OF_TIER));
        GeneratedPart.assertEquals("docs/configuration.md", "backend", table(TierFields.OF_BACKEND));
    }

    private static String table(List<TierFields.Field<?>> fields) {
        StringBuilder table =
                new StringBuilder("| field | form | range | default | meaning |\n|---|---|---|---|---|\n");
        for (TierFields.Field<?> field : fields) {
            table.append("| `%s` | %s | %s | %s | %s |\n"
                    .formatted(
                            field.name(),
                            field.type().form().replace("|", ", "),
                            field.type().range().isEmpty() ? "-" : field.type().range(),
                            field.defaultText().isEmpty() ? "-" : field.defaultText(),
                            field.meaning().replace("|", "\\|")));
        }
        return table.toString();
    }

    @Test
    void theTableOfUmbpsVariablesInTheDocsIsWhatIsHonoured() throws Exception {
        StringBuilder table = new StringBuilder("| variable | form | setting | meaning |\n|---|---|---|---|\n");
        for (UmbpVariable variable : UmbpVariable.HONOURED) {
            String settings =
                    variable.settings().stream().map(key -> "`" + key + "`").collect(Collectors.joining(", "));
            table.append("| `%s` | %s | %s | %s |\n"
                    .formatted(
                            variable.name(), variable.form(), settings.isEmpty() ? "-" : settings, variable.meaning()));
        }
        GeneratedPart.assertEquals("docs/configuration.md", "umbp", table.toString());
    }

    @Test
    void keysVariablesAndFlagsAreUnique() {
        Set<String> names = new HashSet<>();
        for (Setting<?> setting : Settings.all()) {
            assertThat(names.add(setting.key())).as(setting.key()).isTrue();
            assertThat(names.add(setting.variable())).as(setting.variable()).isTrue();
            assertThat(names.add(setting.flag())).as(setting.flag()).isTrue();
        }
    }

    @Test
    void everyDefaultIsUnderstood() {
        for (Setting<?> setting : Settings.all()) {
            if (!setting.defaultText().isEmpty()) {
                assertThat(setting.type().parser().apply(setting.defaultText()))
                        .as(setting.key())
                        .isNotNull();
            }
        }
    }
}
